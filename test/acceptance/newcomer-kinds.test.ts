import { join } from "node:path";
import { expect, test } from "vitest";
import { check, createUnderstudy, startUnderstudy, type Understudy, validate } from "../../src/index.ts";
import { endOptionsOf } from "../../src/stub/control/end-of-test.ts";
import { connectedAssistant } from "./_assistant.ts";
import { folderOf, understudy } from "./_command-line.ts";

// Thirty problems of a newcomer, of every kind: the message says what is wrong, where, and what to do.

const url = "http://127.0.0.1:1";

const pact = (request: object, status: unknown) =>
  JSON.stringify({
    consumer: { name: "wallet" },
    provider: { name: "canton" },
    interactions: [{ description: "users", request: { method: "GET", ...request }, response: { status } }],
  });

test.each([
  ["explore", 'There is no command "explore". Use understudy check --ledger URL, whose probes find what explore found'],
  [
    "serve --openapi api.json",
    "has no flag --openapi. Use npx @stoplight/prism-cli mock FILE beside the stub, which serves the APIs of Canton only",
  ],
  ["replay traffic.har --against http://127.0.0.1:1", "Use understudy import, then understudy run SCENARIO --against"],
  ["lint ledger.yaml", 'There is no command "lint". Use understudy validate FILE.'],
  ["check --html a.html", "has no flag --html. Use --report FILE.html."],
  ["check --node http://127.0.0.1:1", "has no flag --node. Use --ledger URL."],
  ["serve --dar app.dar", "has no flag --dar. Use understudy serve FILE.dar."],
  ["serve --token alice", "has no flag --token. Use --auth user"],
  ["token --localnet", "Use --user ledger-api-user --audience https://canton.network.global."],
  ["localnet", "Use understudy serve --localnet."],
  [`env ${url}/api/validator`, `env ${url}/api/validator ends with a path of the API. Write the base URL, ${url}.`],
  ["wait-ready 127.0.0.1:2000", "has neither http:// nor https://: write http://127.0.0.1:2000."],
  ["serve 7575", "7575 is a number, not a scenario or a fixture. A flag sets a number: --port 7575"],
  [
    "explain page-siz",
    'there is no rule, probe, divergence, error code or operation "page-siz". Did you mean "page-size"?',
  ],
  [
    `check --ledger ${url}/v2/users`,
    `--ledger ${url}/v2/users ends with a path of the API. Write the base URL, ${url}.`,
  ],
  [
    "serve --registry-profile canton-3.5",
    "--registry-profile canton-3.5: a release of the ledger. Use --profile canton-3.5.",
  ],
  ["token alice", 'token takes flags only, not "alice". Try understudy token --user alice'],
  ["pact check path.json", "path.json:1:132: interactions.0.request.path is not a path. Start the path with a slash."],
  [
    "pact check https://broker.example.com",
    "is a URL, not a file. A flag names a live target: run --against URL, check",
  ],
  ["check trace.txt", "trace.txt is not a recording: it is not JSON. A recording is HAR 1.2 from understudy record"],
])("explains a problem on the command line: %s", async (words, message) => {
  const folder = folderOf({ "path.json": pact({ path: "v2/users" }, 200), "trace.txt": "hello", "traffic.har": "{}" });
  const ran = await understudy(words.split(" "), { folder });
  expect(ran).toMatchObject({ exitCode: 2 });
  expect(ran.out + ran.error).toContain(message);
});

test.each([
  [
    "understudy.config.json",
    '{ "serve": {} }',
    "understudy.config.json is not read. Rename it to understudy.config.yaml",
  ],
  [
    "understudy.config.yaml",
    "server: { port: 0 }",
    '1:1: the file has the unknown member "server". Did you mean "serve"?',
  ],
  ["understudy.config.mjs", 'export default { serve: { port: "0" } };', 'serve.port is "0", which is not a number.'],
])("explains a problem in a config file: %s %s", async (name, text, message) => {
  const ran = await understudy("serve", { folder: folderOf({ [name]: text }) });
  expect(ran).toMatchObject({ exitCode: 2 });
  expect(ran.error).toContain(message);
});

const ledger = `participantId: participant1::1220ab
synchronizers: [{ alias: main, id: "main::1220ab" }]
parties: [{ id: "alice::1220ab" }]
users:
  - { id: alice, primaryParty: "alice::1220ab", rights: [] }
`;
const scenario = `arazzo: 1.0.1
info: { title: First, version: 1.0.0 }
sourceDescriptions: [{ name: ledger, url: ledger.yaml, type: openapi }]
workflows:
  - workflowId: first
    x-understudy:
      profile: canton-3.6
      given: { ledger: ledger.yaml, registry: registry.yaml }
      plan: [{ at: PT30S, deactivateUser: alice }, { on: getV2Users, instead: { status: 503 } }]
    steps:
      - stepId: list
        operationId: $sourceDescriptions.ledger.getV2Users
        successCriteria: [{ condition: $statusCode == 200 }]
`;

test.each([
  [
    "rights: []",
    "rights: { ParticipantAdmin: true }",
    "5:57: users.0.rights is an object, which is not a list. Put it in a list: [ParticipantAdmin].",
  ],
  ["users:\n", 'templates: [{ template: "app:Main:Asset" }]\nusers:\n', 'Write it as "#package-name:Module:Entity".'],
  ["  - { id: alice", "\t- { id: alice", "5:1: a tab is used for indentation. Use spaces."],
  [
    "  - { id: alice",
    "  - { id: alice, id: bob",
    "5:18: the name is used twice in one object. Remove or rename one of the two.",
  ],
  [
    "PT30S",
    "30s",
    '9:20: x-understudy.plan.0.at is "30s", which does not have the expected format. Write it as PT30S.',
  ],
  ["instead:", "then:", 'x-understudy.plan.1 has the unknown member "then". Did you mean "instead"?'],
  ["== 200", "= 200", '"= 200" is neither a value nor an operator such as ==.'],
  [
    ", registry: registry.yaml",
    "",
    'x-understudy.given has no member "registry". Add it, for example registry: registry.yaml.',
  ],
])("explains a problem in a scenario or fixture: %s as %s", async (written, instead, message) => {
  const files = { "ledger.yaml": ledger, "first.arazzo.yaml": scenario };
  const texts = Object.entries(files).map(([name, text]) => [name, text.replace(written, instead)]);
  const { out, error } = await understudy(["validate", ...Object.keys(files)], {
    folder: folderOf(Object.fromEntries(texts)),
  });
  expect(out + error).toContain(message);
});

const calling =
  (name: "fault", ...given: readonly unknown[]) =>
  (stub: Understudy): unknown =>
    Reflect.apply(stub[name], stub, given);

test.each([
  [
    "clock.advance",
    (stub: Understudy) => stub.clock.advance("30s"),
    '"30s" is not a valid duration. Use hours, minutes',
  ],
  ["fault with a delay", calling("fault", "getV2Users", { delay: 500 }), 'Write { after: { delay: "PT0.5S" } }.'],
  [
    "fault with a status and a delay in after",
    calling("fault", "getV2Users", { status: 503, after: { delay: "PT0.5S" } }),
    "Write status within after: it is part of one response.",
  ],
  [
    "a closed stub",
    (stub: Understudy) => stub.close().then(() => stub.reset()),
    "this stub is closed. Use it before its close()",
  ],
  ["validate with a text", () => Reflect.apply(validate, undefined, [{ files: "x" }]), 'Use files: ["ledger.yaml"].'],
  ["check of a path of the API", () => check({ ledger: `${url}/v2/users` }), `Write the base URL, ${url}.`],
  [
    "a test with clientRules",
    () => endOptionsOf({ clientRules: "warning" }),
    'option clientRules: unknown value "warning". Did you mean "warnings"?',
  ],
])("explains a problem in a program: %s", async (_name, called, message) => {
  await using stub = createUnderstudy({ profile: "canton-3.6" });
  await expect((async () => called(stub))()).rejects.toThrow(message);
});

test.each([
  [
    "/__understudy/worlds/default/clock/advance",
    '{ "by": 30 }',
    400,
    '"by": 30 is not a duration. Use an ISO-8601 duration such as "PT30S".',
  ],
  [
    "/__understudy/worlds/default/clock/advance",
    "by=PT30S",
    400,
    'The body is not a JSON object. Send one, such as {"by":"PT30S"}',
  ],
  ["/v1/create", "{}", 404, "version 2 of the JSON Ledger API, below /v2: POST /v2/commands/submit-and-wait"],
])("explains a problem in a request: %s %s", async (path, body, status, message) => {
  await using stub = await startUnderstudy({ profile: "canton-3.6" });
  const response = await fetch(stub.ledgerUrl + path, { method: "POST", body });
  const text = (await response.text()).replaceAll('\\"', '"');
  expect(response.status).toBe(status);
  expect(text + (response.headers.get("Understudy-Reason") ?? "")).toContain(message);
});

test("explains a problem of an assistant", async () => {
  const { call } = await connectedAssistant();
  const { isError, text } = await call("start_stub", { profile: "3.6" });
  expect([isError, text]).toEqual([
    true,
    expect.stringContaining('unknown ledger profile "3.6". Did you mean "canton-3.6"?'),
  ]);
});

test("a variable keeps the commas of JSON, and separates values at the others", async () => {
  const variables = { UNDERSTUDY_TARGET: 'instrument={"admin":"a::1220ab","id":"x,y"},user=b b,tokens.plain=t' };
  const { error } = await understudy(["check", "--registry", url], { variables });
  expect(error).toContain("127.0.0.1:1 cannot be reached");
  const misspelt = { UNDERSTUDY_TARGET: 'instrument={"admin":"a::1220ab","ids":"x,y"},usr=b' };
  const refused = await understudy(["check", "--registry", url], { variables: misspelt });
  expect(refused.error).toContain('unknown member "usr"');
  expect(refused.error).toContain('unknown member "ids"');
});

const templates = `packages: [{ id: ${"a".repeat(64)}, name: app, version: 1.0.0 }]
templates: [{ template: "#app:Main:Asset", signatories: [owner], choices: { Spend: consuming } }]
`;

const create = (templateId: string, createArguments: object) => ({
  commandId: "one",
  userId: "alice",
  actAs: ["alice::1220ab"],
  commands: [{ CreateCommand: { templateId, createArguments } }],
});

test.each([
  [
    "the missing right to act",
    create("#app:Main:Asset", { owner: "alice::1220ab" }),
    "[]",
    "(missing: CanActAs alice::1220ab)",
  ],
  [
    "a create without the field of a signatory",
    create("#app:Main:Asset", { holder: "alice::1220ab" }),
    '[{ CanActAs: "alice::1220ab" }]',
    "(the fixture takes the signatories from owner, which createArguments does not have)",
  ],
  [
    "a choice that the template does not declare",
    {
      ...create("#app:Main:Asset", {}),
      commands: [
        {
          CreateAndExerciseCommand: {
            templateId: "#app:Main:Asset",
            createArguments: { owner: "alice::1220ab" },
            choice: "Spnd",
            choiceArgument: {},
          },
        },
      ],
    },
    '[{ CanActAs: "alice::1220ab" }]',
    "For this template it declares Spend.",
  ],
  [
    "a package name without its sign",
    create("app:Main:Asset", { owner: "alice::1220ab" }),
    '[{ CanActAs: "alice::1220ab" }]',
    "(did you mean #app:Main:Asset?)",
  ],
])("explains a refused command, and its body is that of a node: %s", async (_name, body, rights, advice) => {
  const text = ledger.replace("rights: []", `rights: ${rights}`) + templates;
  const file = join(folderOf({ "app-ledger.yaml": text }), "app-ledger.yaml");
  await using stub = await startUnderstudy({ scenario: file, profile: "canton-3.6", auth: "user" });
  const response = await fetch(`${stub.ledgerUrl}/v2/commands/submit-and-wait`, {
    method: "POST",
    headers: { Authorization: "Bearer alice", "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.headers.get("Understudy-Reason")).toContain(advice);
  expect(await response.text()).not.toContain(advice);
});

test("a missing right of a participant administrator is named, and a JWT where the token is a user id", async () => {
  await using stub = await startUnderstudy({ profile: "canton-3.6", auth: "user" });
  const reasonWith = async (token: string) => {
    const headers = { Authorization: `Bearer ${token}` };
    return (await fetch(`${stub.ledgerUrl}/v2/users`, { headers })).headers.get("Understudy-Reason");
  };
  expect(await reasonWith("alice")).toContain("(missing: ParticipantAdmin)");
  expect(await reasonWith("eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSJ9.")).toContain("start the stub with --auth jwt");
});

test("a name of a target is that of a target file, whose hooks run beside it", async () => {
  await using stub = await startUnderstudy({ profile: "canton-3.6", auth: "user" });
  const folder = folderOf({});
  const base = ["check", "--ledger", stub.ledgerUrl, "--registry", stub.ledgerUrl, "--rate", "1000", "--writes"];
  const named = ["--only", "lookup-reassignment", "--target", "quickstart"];
  const { out, error } = await understudy([...base, ...named], { folder });
  expect(error).toBe("");
  expect(out).toContain("Probes: 1 run");
  const scenario = await understudy([...base, "--target", "scenarios/quickstart.arazzo.yaml"], { folder });
  expect(scenario).toMatchObject({ exitCode: 2 });
});

test("a check names a token that the target does not read", async () => {
  await using stub = await startUnderstudy({ profile: "canton-3.6", auth: "user" });
  const { error } = await understudy(["check", "--ledger", stub.ledgerUrl, "--token", `eyJ${"a".repeat(200)}.b.c`]);
  expect(error).toContain("The token of --token was refused with 400 INVALID_TOKEN");
  expect(error).toContain("for a JWT, start the stub with --auth jwt");
});
