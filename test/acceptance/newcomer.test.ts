import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commands } from "../../src/entrypoints/cli/commands.ts";
import { type Command, commonFlags } from "../../src/entrypoints/cli/options.ts";
import { contracts } from "../../src/foundation/spec/contracts.ts";
import { startUnderstudy } from "../../src/index.ts";
import { transferLookup } from "../_transfer.ts";
import { folderOf, recording, serving, temporaryFolder, understudy } from "./_command-line.ts";
import { pageText } from "./_pages.ts";

const url = "http://127.0.0.1:1";

const pairs: readonly (readonly [words: string, message: string])[] = [
  [
    "serve --oauth --auth none",
    "--oauth needs --auth jwt: with --auth none the stub does not verify tokens. Add --auth jwt, or remove --oauth.",
  ],
  [
    "serve --audience me",
    "--audience needs --auth jwt: with --auth bearer the stub does not verify tokens. Add --auth jwt, or remove --audience.",
  ],
  ["serve --no-control --world-prefix a", "--world-prefix has no effect with --no-control. Remove one of the two."],
  [
    "check --ledger localhost:7575",
    "--ledger localhost:7575 has neither http:// nor https://: write http://localhost:7575.",
  ],
  ["serve --profile splice-0.7", "--profile splice-0.7: a release of the registry. Use --registry-profile splice-0.7."],
  ["profiles diff canton-3.5", "profiles diff needs a second profile: understudy profiles diff canton-3.5 canton-3.6"],
  ["profiles diff", "profiles diff needs two profiles: understudy profiles diff canton-3.4.12 canton-3.5"],
  ["profiles spec canton-3.5", "profiles takes one name. To compare two: understudy profiles diff spec canton-3.5"],
  ["check --target foo", "Name a target file. For a base URL: --ledger http://127.0.0.1:7575"],
  [
    "check --target http://127.0.0.1:1",
    "--target takes a name or a file, not a URL. For a base URL: --ledger http://127.0.0.1:1",
  ],
  ["profiles diff spec spec", "profiles diff compares two profiles, and both names are spec. Name another one."],
  ["validate x.yaml --quiet --json", "--quiet has no effect with --json. Remove one of the two."],
  ["run x.yaml --timeout 3", "--timeout has no effect without --against. Add --against URL, or remove --timeout."],
  ["check --list-probes --report x.html", "--report has no effect with --list-probes. Remove one of the two."],
  [`record --recover x.har --ledger ${url}`, "--ledger has no effect with --recover. Remove one of the two."],
  [
    `record --ledger ${url} --out x.har --allow-host stub`,
    "--allow-host has no effect without --inspector. Add --inspector, or remove --allow-host.",
  ],
  ["import x.har --registry-only --profile spec", "--profile has no effect with --registry-only."],
  ["redact x.har --out y.har --restore --names n --keep-ids", "--keep-ids has no effect with --restore."],
  [`pact states --ledger ${url} --profile spec`, "--profile has no effect with --ledger. Remove one of the two."],
  ["pact states --timeout 3", "--timeout has no effect without --hook. Add --hook STATE=COMMAND, or remove --timeout."],
  [
    "token --user alice --expires PT0S",
    "--expires PT0S: the token would never be valid. Use PT1S or more; for an expired token, set --at to a time in the past.",
  ],
];

// Each pair of texts replaces a text of the files below in one place.
const ledger = `participantId: participant1::1220ab
synchronizers: [{ alias: main, id: "main::1220ab" }]
parties: [{ id: "alice::1220ab" }]
users:
  - { id: alice, primaryParty: "alice::1220ab", rights: [{ CanActAs: "alice::1220ab" }] }
identityProviders: [{ id: corporate, issuer: corporate, jwksUrl: "https://login.example.com/jwks" }]
`;
const registry = `admin: registrar::1220ab
factory: { contract: factory, context: [] }
contracts:
  - name: factory
    templateId: ${"6d".repeat(32)}:My.Registry:Factory
    packageName: my-registry
    createdAt: 2026-01-01T00:00:00Z
    synchronizer: main::1220ab
`;
const scenario = `arazzo: 1.0.1
info: { title: First, version: 1.0.0 }
sourceDescriptions: [{ name: ledger, url: ledger.yaml, type: openapi }]
workflows:
  - workflowId: first
    x-understudy:
      given: { ledger: ledger.yaml, registry: registry.yaml }
      seed: 1
      plan: [{ on: getV2Users, nth: 2, instead: { status: 503 } }]
    steps:
      - stepId: list
        operationId: $sourceDescriptions.ledger.getV2Users
        successCriteria: [{ condition: $statusCode == 200 }, { condition: $response.body#/users/0/id == 'alice' }]
`;

const names: readonly (readonly [written: string, instead: string, message: string])[] = [
  ["CanActAs:", "CanActOn:", 'users.0.rights.0 has the unknown member "CanActOn". Did you mean "CanActAs"?'],
  ["CanActAs:", "CanActAss:", 'users.0.rights.0 has the unknown member "CanActAss". Did you mean "CanActAs"?'],
  ["plan:", "plam:", 'x-understudy has the unknown member "plam". Did you mean "plan"?'],
  ["users:", "usrs:", 'the file has the unknown member "usrs". Did you mean "users"?'],
  ["getV2Users, nth", "getV2User, nth", 'plan.0 names the unknown operation "getV2User". Did you mean "getV2Users"?'],
  ["given: {", "profile: canton-3.7\n      given: {", 'Did you mean "canton-3.6" or "canton-3.5"?'],
  ["$statusCode", "$status", '$status is not a runtime expression. Did you mean "$statusCode"?'],
  [
    "[{ condition: $statusCode",
    "[{ type: { typ: simple }, condition: $statusCode",
    'has the unknown member "typ". Did you mean "type"?',
  ],
  ["seed: 1", "seed: one", 'x-understudy.seed is "one", which is not a whole number'],
  [
    "  successCriteria",
    "  parameters: [{ name: pagesize, in: query, value: 2 }]\n        successCriteria",
    'the step "list" sends the unknown query parameter "pagesize". Did you mean "pageSize"? To send it on purpose, add x-unknown: true.',
  ],
  [
    "getV2Users\n",
    "getV2UsersUser-id\n        parameters: [{ name: userid, in: path, value: alice }]\n",
    'the step "list" sends the unknown path parameter "userid". Did you mean "user-id"?',
  ],
  [
    "getV2Users\n",
    "getV2UsersUser-id\n",
    'the step "list" has no value for the path parameter "user-id". Add { name: user-id, in: path, value: … }',
  ],
  [
    "$statusCode",
    "$inputs.status",
    '$inputs.status names the input "status", which the workflow does not have. Add it to the inputs',
  ],
];

const references: readonly (readonly [written: string, instead: string, message: string])[] = [
  ["contract: factory", "contract: factry", 'the contract "factry", which does not exist. Did you mean "factory"?'],
  [
    "context: []",
    "context: [{ key: k, contracts: [fact] }]",
    'factory.context.0.contracts.0 names the contract "fact"',
  ],
  ['primaryParty: "al', 'primaryParty: "a', 'users.0.primaryParty names the party "aice::1220ab", which does not'],
  [
    'CanActAs: "alice::1220ab"',
    "CanActAs: alice",
    'users.0.rights.0 names the party "alice", which does not exist. Did you mean "alice::1220ab"?',
  ],
  [
    "synchronizer: main",
    "synchronizer: mian",
    'names the synchronizer "mian::1220ab", which does not exist. Did you mean "main::1220ab"?',
  ],
  [
    "users:",
    "packages: [{ id: a, name: b, version: 1.0.0, dependencies: [c] }]\nusers:",
    'packages.0.dependencies.0 names the package "c"',
  ],
  [
    "contracts:",
    "instruments: [{ id: USDX }]\nholdings: [{ name: h, owner: \"alice::1220ab\", instrument: USDY, amount: '1' }]\ncontracts:",
    'holdings.0.instrument names the instrument "USDY", which does not exist. Did you mean "USDX"?',
  ],
  [
    "id: alice,",
    "id: alice, identityProviderId: corporat,",
    'the identity provider "corporat", which does not exist. Did you mean "corporate"?',
  ],
  [
    "on: getV2Users, nth: 2, instead: { status: 503 }",
    "at: PT1S, deactivateUser: alise",
    'plan.0 names "alise", which does not exist. Did you mean "alice"?',
  ],
  [
    "plan: [",
    "providerStates: [{ name: s, afterStep: lst }]\n      plan: [",
    'follows the step "lst", which does not exist. Did you mean "list"?',
  ],
];

const types: readonly (readonly [written: string, instead: string, message: string])[] = [
  [
    "id: alice,",
    "id: al ice,",
    'users.0.id is "al ice", which is not a valid user id. A user id: 1 to 128 letters, digits and',
  ],
  ["id: alice,", "id: 5,", "users.0.id is 5, which is not a string. Put it in quotes."],
  ['[{ CanActAs: "alice::1220ab" }]', "CanActAs", 'users.0.rights is "CanActAs", which is not a list.'],
  ["status: 503", "status: 999", "plan.0.instead.status is 999; the maximum is 599."],
  ["nth: 2", "nth: 0", "plan.0.nth is 0; the minimum is 1."],
  ["{ status: 503 }", "503", "plan.0.instead is 503, which is not an object."],
];

const forms: readonly (readonly [written: string, instead: string, message: string])[] = [
  ['{ CanActAs: "alice::1220ab" }', "CanActAs", "Use CanActAsAnyParty, CanReadAsAnyParty, CanExecuteAsAnyParty,"],
  [
    '{ CanActAs: "alice::1220ab" }',
    "CanActAsAnyParty",
    "is CanActAsAnyParty, which spec does not have. Use another right, or the profile canton-3.6.",
  ],
  ['{ CanActAs: "alice::1220ab" }', "ParticipantAdmn", 'an allowed value. Did you mean "ParticipantAdmin"?'],
];

const paths: readonly (readonly [written: string, instead: string, message: string])[] = [
  [
    "ledger: ledger.yaml,",
    "ledger: leger.yaml,",
    'given.ledger: File not found: leger.yaml. Did you mean "ledger.yaml"?',
  ],
  [
    "body#/users",
    "body#users",
    '$response.body#users/0/id is not a runtime expression. Did you mean "$response.body#/users/0/id"?',
  ],
];

test.each([...names, ...references, ...types, ...forms, ...paths])(
  "validate explains a wrong name, type or path: %s as %s",
  async (...line) => {
    const [written, instead, message] = line;
    const folder = temporaryFolder();
    const files = { "ledger.yaml": ledger, "registry.yaml": registry, "first.arazzo.yaml": scenario };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text.replace(written, instead));
    const ran = await understudy(["validate", ...Object.keys(files)], { folder });
    const problems = (ran.out + ran.error).match(/^\S+\.yaml:\d+:\d+: .*$/gm) ?? [];
    expect([ran.exitCode, problems]).toEqual([2, [expect.stringContaining(message)]]);
  },
);

test("validate reports all problems of all files at once, those of references and plans too", async () => {
  const folder = temporaryFolder();
  const broken = {
    "ledger.yaml": ledger.replace("CanActAs:", "CanActOn:"),
    "registry.yaml": registry.replace("contract: factory", "contract: factry").replace("main::", "mian::"),
    "first.arazzo.yaml": scenario.replace("instead: { status: 503 }", "deactivateUser: alise"),
    "cut.yaml": "users:\n  - id: alice\n rights: []\n",
    "pact.json": JSON.stringify({ interactions: [] }),
  };
  for (const [name, text] of Object.entries(broken)) writeFileSync(join(folder, name), text);
  const files = ["first.arazzo.yaml", "ledger.yaml", "cut.yaml", "frist.arazzo.yaml", "pact.json"];
  const ran = await understudy(["validate", ...files], { folder });
  expect(ran.exitCode).toBe(2);
  expect(ran.out.split("\n").map((line) => line.slice(0, 96))).toMatchInlineSnapshot(`
    [
      "first.arazzo.yaml:9:14: x-understudy.plan.0 names "alise", which does not exist. Did you mean "a",
      "ledger.yaml:5:60: users.0.rights.0 has the unknown member "CanActOn". Did you mean "CanActAs"?",
      "registry.yaml:2:22: factory.contract names the contract "factry", which does not exist. Did you ",
      "registry.yaml:8:19: contracts.0.synchronizer names the synchronizer "mian::1220ab", which does n",
      "cut.yaml:3:1: the indentation does not match the lines above. Start the members of one object, a",
      "  2 |   - id: alice",
      "> 3 |  rights: []",
      "    | ^",
      "File not found: frist.arazzo.yaml. Did you mean "first.arazzo.yaml"?",
      "pact.json:1:1: consumer.name is missing. Write "consumer": { "name": "…" }.",
      "pact.json:1:1: provider.name is missing. Write "provider": { "name": "…" }.",
      "",
    ]
  `);
});

test("validate finds provider states of a Pact that no scenario has", async () => {
  const folder = temporaryFolder();
  const pact = (state: string) => ({
    consumer: { name: "wallet" },
    provider: { name: "canton" },
    interactions: [
      {
        description: "users",
        providerStates: [{ name: state }],
        request: { method: "GET", path: "/v2/users" },
        response: { status: 200 },
      },
    ],
    metadata: { pactSpecification: { version: "3.0.0" } },
  });
  const files = { "ledger.yaml": ledger, "registry.yaml": registry, "first.arazzo.yaml": scenario };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, "pact.json"), JSON.stringify(pact("frist"), undefined, 1));
  const ran = await understudy(["validate", "first.arazzo.yaml", "pact.json"], { folder });
  expect(ran.out).toContain('pact.json:12:5: no scenario has the provider state "frist". Did you mean "first"?');
  expect((await understudy(["validate", "pact.json"], { folder })).out).toBe("pact.json: valid\n");
});

test.each([
  ["ledger.yaml", ledger, "the registry is empty", "registry::1220ab", "alice::1220ab", 404],
  ["registry.yaml", registry, "the stub adds a participant", "registrar::1220ab", "registrar::1220ab", 200],
])("serves %s alone, with a placeholder for the other fixture", async (name, text, sentence, admin, party, status) => {
  const { url: base, ready } = await serving(join(folderOf({ [name]: text }), name));
  expect(ready).toContain(sentence);
  const read = async (path: string, init: RequestInit = {}) => {
    const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };
    const response = await fetch(`${base}${path}`, { headers, ...init });
    return [response.status, await response.text()];
  };
  expect(await read("/registry/metadata/v1/info")).toEqual([200, expect.stringContaining(admin)]);
  expect(await read("/v2/parties")).toEqual([200, expect.stringContaining(party)]);
  expect(await read("/v2/state/connected-synchronizers")).toEqual([200, expect.stringContaining("main::1220ab")]);
  const body = JSON.stringify(transferLookup());
  const [found] = await read("/registry/transfer-instruction/v2/transfer-factory", { method: "POST", body });
  expect(found).toBe(status);
});

test.each([
  ["not a JWT", async () => "any", "it is not a JWT. understudy token --user ID prints one"],
  ["another secret", () => token({ secret: "another" }), "its signature does not match the key of the stub (--jwt"],
  ["expired", () => token({ at: "2025-12-01T00:00:00Z" }), "it expired at 2025-12-02T00:00:00Z, and virtual time is"],
])("explains a wrong token: %s", async (_name, made, reason) => {
  expect(await reasonOf401(`Bearer ${await made()}`)).toContain(`Invalid bearer token: ${reason}`);
});

test("explains a token with another scheme", async () => {
  expect(await reasonOf401("Basic YTpi")).toMatch(
    /Missing bearer token: Authorization has another scheme than Bearer$/,
  );
});

async function reasonOf401(authorization: string): Promise<string | null> {
  await using stub = await startUnderstudy({ profile: "canton-3.5", auth: "jwt" });
  const response = await fetch(`${stub.ledgerUrl}/v2/users`, { headers: { Authorization: authorization } });
  expect(response.status).toBe(401);
  return response.headers.get("Understudy-Reason");
}

async function token({ secret = "unsafe", at = "now" }): Promise<string> {
  const words = ["token", "--user", "alice", "--jwt-secret", secret, "--at", at];
  return (await understudy(words)).out.trim();
}

test.each([
  ["clock", 'The control API has no action "POST clock" on a world. Did you mean "POST clock/advance"?'],
  ["plans", 'no action "POST plans" on a world. Did you mean "POST plan"?'],
  ["x", "contracts/control.yaml describes all."],
])("the control API names the nearest action for %s", async (action, message) => {
  await using stub = await startUnderstudy();
  const init = { method: "POST", body: "{}" };
  const response = await fetch(`${stub.ledgerUrl}/__understudy/worlds/default/${action}`, init);
  expect([response.status, await response.json()]).toEqual([404, { error: expect.stringContaining(message) }]);
});

test("run shows the reason of a refusal by the stub", async () => {
  const folder = folderOf({ "ledger.yaml": ledger, "registry.yaml": registry, "first.arazzo.yaml": scenario });
  const { exitCode, out } = await understudy("run first.arazzo.yaml --profile canton-3.5", { folder });
  expect(exitCode).toBe(1);
  expect(out).toMatch(/actual {4}401 .*\n {4}reason {4}.*Missing bearer token/);
});

test("record says that it received no request, and how to send one", async () => {
  const folder = temporaryFolder();
  const { url: proxy, stop, ended } = await recording(["--ledger", url, "--out", "x.har"], { folder });
  expect(proxy).toMatch(/^http:/);
  stop();
  const { exitCode, out } = await ended();
  expect(exitCode).toBe(5);
  expect(out).toContain("x.har: 0 exchanges recorded");
  expect(out).toContain(
    "Nothing was checked: no request was received. Start record again, and send requests to its address instead of that of the target.",
  );
  expect(out).not.toContain("passes");
});

test.each(pairs)("refuses what has no effect: %s", async (words, message) => {
  const ran = await understudy(words.split(" "));
  expect(ran).toMatchObject({ exitCode: 2, out: "" });
  expect(ran.error).toContain(message);
});

test.each([
  ["serve shop.yml", 'File not found: shop.yml. Did you mean "shop.yaml"?'],
  ["check trafic.har", 'File not found: trafic.har. Did you mean "traffic.har"?'],
  ["check merge reprot.json", 'File not found: reprot.json. Did you mean "report.json"?'],
  ["check traffic.har --baseline in/bse.yaml", 'File not found: in/bse.yaml. Did you mean "in/base.yaml"? Write a new'],
  ["check traffic.har --baseline in", "in is a folder. Name a file in it: in/base.yaml."],
  ["check --target targt.yaml", 'File not found: targt.yaml. Did you mean "target.yaml"?'],
  ["redact traffic.har --out x.har --restore --names name.json", 'Did you mean "names.json"?'],
  ["redact traffic.har --out x.har --names in", "in cannot be written: it is a folder."],
  ["serve --tls-cert cart.pem --tls-key cert.pem", 'File not found: cart.pem. Did you mean "cert.pem"?'],
  ["pact check packt.json", 'File not found: packt.json. Did you mean "pact.json"?'],
  ["replay nothing-like-it.har", "Check the path; it is relative to the working directory."],
])("names the nearest file: %s", async (words, message) => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "in"));
  const names = ["shop.yaml", "traffic.har", "report.json", "in/base.yaml", "target.yaml", "names.json", "cert.pem"];
  for (const name of [...names, "pact.json"]) writeFileSync(join(folder, name), "");
  const ran = await understudy(words.split(" "), { folder });
  expect(ran).toMatchObject({ exitCode: 2, out: "" });
  expect(ran.error).toContain(message);
});

test("accepts a flag without effect from the environment, which several commands share", async () => {
  const variables = { UNDERSTUDY_TIMEOUT: "3", UNDERSTUDY_CONTROL_TOKEN: "0123456789abcdef" };
  const ran = await understudy(["run", "scenarios/quickstart.arazzo.yaml", "--quiet"], { variables });
  expect(ran).toEqual({ exitCode: 0, out: "", error: "" });
});

test("names the environment variable of a switch that is neither true nor false", async () => {
  const { error } = await understudy("serve", { variables: { UNDERSTUDY_WATCH: "maybe" } });
  expect(error).toBe('UNDERSTUDY_WATCH in the environment is "maybe": neither true nor false. Use true or false.\n');
});

test("names the environment variable that makes a flag useless", async () => {
  const variables = { UNDERSTUDY_REGISTRY_ONLY: "true" };
  const { error } = await understudy(["import", "x.har", "--profile", "spec"], { variables });
  expect(error).toContain("--profile has no effect with UNDERSTUDY_REGISTRY_ONLY in the environment.");
});

test("README names each profile once, and the glossary the words of the help", () => {
  const section = /`understudy profiles` lists the seven profiles.*/.exec(pageText("README.md"))?.[0] ?? "";
  const named = [...section.matchAll(/`(?:--[a-z-]*profile )?([a-z]+(?:-[\d.]+)?)`/g)].map(([, name]) => name);
  expect(named.sort()).toEqual(contracts.profiles.map(({ name }) => name).sort());
  expect(contracts.profiles).toHaveLength(7);
  const glossary = pageText("docs/concepts.md").split("## Glossary")[1];
  for (const word of ["client", "lookup", "probe", "profile", "stub", "target"])
    expect(glossary).toContain(`| ${word} |`);
});

test("every flag pair names flags of its command", async () => {
  for (const { name, flags, pairs: listed = [] } of await allCommands())
    for (const { flags: names, needs, without } of listed)
      for (const named of [...names, needs ?? without])
        expect([name, [...flags, ...commonFlags].map((flag) => flag.name)]).toEqual([
          name,
          expect.arrayContaining([named]),
        ]);
});

test("--help all groups long lists of flags under headings", async () => {
  for (const { name } of await allCommands()) {
    const { out } = await understudy([...name.split(" "), "--help", "all"]);
    const groups = out.split("\n\n").filter((part) => /^\s+(?:-\w, )?--\w/m.test(part));
    const lengths = groups.map((group) => group.split("\n").length);
    expect([name, Math.max(...lengths) <= 30]).toEqual([name, true]);
  }
});

async function allCommands(): Promise<readonly Command[]> {
  const loaded = await Promise.all(commands.map(({ load }) => load()));
  return loaded.flatMap((command) => [command, ...(command.subcommands ?? [])]);
}
