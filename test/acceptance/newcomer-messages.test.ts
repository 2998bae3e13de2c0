import { expect, test } from "vitest";
import { asCalled } from "../../src/entrypoints/cli/as-called.ts";
import { commands } from "../../src/entrypoints/cli/commands.ts";
import { commandLimits } from "../../src/entrypoints/cli/flags/command-limits.ts";
import { emptyBody } from "../../src/foundation/http/body.ts";
import { profileNamesOf } from "../../src/foundation/spec/spec.ts";
import { startUnderstudy } from "../../src/index.ts";
import { baseUrlPage } from "../../src/stub/inspection/page.ts";
import { connectedAssistant } from "./_assistant.ts";
import { eventsIn, expectRefusal, folderOf, temporaryFolder, understudy } from "./_command-line.ts";

test.each([
  ["leaseMs=2000", "--limit leaseMs=2000 has no effect without --store. Add --store URL, or remove it."],
  [
    "storedJournalBytesMax=2000000",
    "--limit storedJournalBytesMax=2000000 has no effect without --keep-journal. Add --keep-journal DURATION, or remove it.",
  ],
])("serve refuses a limit of a store that it does not have: %s", async (limit, message) => {
  await expectRefusal(["serve", "--limit", limit], message);
});

test("a command leaves limits of other commands in the environment, and refuses those that no command has", async () => {
  const folder = temporaryFolder();
  const ran = (words: string, limits: string) => understudy(words, { folder, variables: { UNDERSTUDY_LIMIT: limits } });
  for (const words of ["import x.har", "check x.har"])
    expect((await ran(words, "worldsMax=10,leaseMs=2000")).error).toContain("File not found: x.har");
  expect((await ran("serve shop.yaml", "stepsMax=3\nleaseMs=2000")).error).toContain("File not found: shop.yaml");
  expect((await ran("import x.har", "worldMax=10")).error).toContain(
    "UNDERSTUDY_LIMIT in the environment worldMax=10: unknown limit.",
  );
});

test("the limits of all commands have their names in one list", async () => {
  const loaded = await Promise.all(commands.map(({ load }) => load()));
  const numbers = loaded
    .flatMap(({ flags }) => flags.filter(({ name }) => name === "limit"))
    .flatMap(({ numbers: all = [] }) => all);
  expect(new Set(numbers.map(({ name }) => name))).toEqual(commandLimits);
});

const url = "http://127.0.0.1:1";

test.each([
  ["run right", 'File not found: right. Did you mean "rights"?'],
  ["run rights --profile 3.5", '--profile 3.5: unknown value. Did you mean "canton-3.5"?'],
  ["serve --profile 3.4", 'Did you mean "canton-3.4.12" or "canton-3.4.11"?'],
  ["serve --profile canton-3.5.10", 'Did you mean "canton-3.5"?'],
  ["run in", "in is a folder. Name a file in it: in/a.yaml or in/b.yaml."],
  ["check in", "in is a folder. Name a file in it, such as in/a.yaml, in/b.yaml or in/c.har."],
  ["serve empty", "empty is a folder. Name a file in it."],
  [
    `serve ${url}`,
    `${url} is a URL, not a file. A flag names a live target: run --against URL, check --ledger URL, pact check --broker URL.`,
  ],
  [`check ${url} x.har`, "check takes recordings or a live target, not both."],
  [`check ${url} --ledger http://127.0.0.1:2`, `${url} is a second ledger. Remove it; for a token registry, write`],
  ["serve --scenario x.yaml", "the scenario is an argument. Use understudy serve FILE."],
  ["run --scenario x.yaml", "the scenario is an argument. Use understudy run FILE."],
  ["serve wallet.ts", "wallet.ts is a program, not a scenario or a fixture. Write those as YAML or JSON."],
  ["validate wallet.ts", "wallet.ts is a program, not a scenario or a fixture."],
  ["serve --store none/x.sqlite", "--store: the value is a file without its scheme. Use sqlite:none/x.sqlite"],
  ["serve --store sqlite:none/x.sqlite", "none. Create it, or name another file."],
  ["serve --config bare.config.ts", 'Begin the file with import { defineConfig } from "canton-understudy".'],
])("explains what a newcomer wrote wrongly: %s", async (words, message) => {
  const folder = folderOf({
    ...{ "in/a.yaml": "", "in/b.yaml": "", "in/c.har": "", "in/d.har": "", "empty/.keep": "", "wallet.ts": "x" },
    "bare.config.ts": "export default defineConfig({ serve: { port: 0 } });",
  });
  const ran = await understudy(words.split(" "), { folder });
  expect(ran).toMatchObject({ exitCode: 2 });
  expect(ran.out + ran.error).toContain(message);
});

test.each([
  [["check", "--ledger", url, "--token", "Bearer secret"], "The administrator token begins with the word Bearer."],
  [["serve", "--control-token", "Bearer 0123456789abcdef"], "it begins with the word Bearer. Leave the word out."],
])("leaves the word Bearer out of a token: %j", async (words, message) => {
  await expectRefusal(words, message);
});

test("scenarios, fixtures and targets of the package have names in every folder, which its own files precede", async () => {
  const folder = temporaryFolder();
  expect(await understudy("run rights --quiet", { folder })).toEqual({ exitCode: 0, out: "", error: "" });
  expect((await understudy("run scenarios/rights.arazzo.yaml --quiet", { folder })).exitCode).toBe(0);
  expect((await understudy("validate rights amulet paging quickstart", { folder })).exitCode).toBe(0);
  expect((await understudy(`check --target quickstart --ledger ${url}`, { folder })).exitCode).toBe(3);
  await using stub = await startUnderstudy({ scenario: "rights" });
  expect(stub.ledgerUrl).toMatch(/^http/);
  const own = folderOf({ rights: "usrs: []" });
  expect((await understudy("run rights", { folder: own })).exitCode).toBe(2);
});

test("check takes a URL as --ledger", async () => {
  await using stub = await startUnderstudy({ profile: "canton-3.5" });
  const ran = await understudy(["check", stub.ledgerUrl, "--only", "users-walk", "--token", "any", "--json"], {
    folder: temporaryFolder(),
  });
  expect(ran.out + ran.error).toContain(`--ledger ${stub.ledgerUrl}`);
});

test("a check of the registry alone names no probe of the ledger", async () => {
  await using stub = await startUnderstudy({ profile: "canton-3.5" });
  const ran = await understudy(["check", "--registry", stub.registryUrl], { folder: temporaryFolder() });
  expect(ran.out).toContain("Probes: ");
  expect(ran.out).not.toMatch(/needs ledger|users-walk|allocate-party/);
});

test("export --json prints an event without --out", async () => {
  const { out } = await understudy("export rights --json");
  expect(eventsIn(out)).toEqual([{ event: "exported", text: expect.stringContaining("# Granting rights") }]);
});

const requested = async (stub: { readonly ledgerUrl: string }, path: string, body?: object) => {
  const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(`${stub.ledgerUrl}${path}`, init);
  await response.arrayBuffer();
  return response.headers.get("Understudy-Reason");
};

test.each([
  ["/v2/user/alice", "/v2/users/alice"],
  ["/v2/users/alice/right", "/v2/users/alice/rights"],
  ["/v2/user", "/v2/users"],
])("a path with one wrong segment gets the path with its own values: %s", async (path, meant) => {
  await using stub = await startUnderstudy({ profile: "canton-3.6" });
  expect(await requested(stub, path)).toBe(`unknown path ${path}; did you mean ${meant}?`);
});

test.each(profileNamesOf("ledger"))("a grant without userId says in %s which member is missing", async (profile) => {
  await using stub = await startUnderstudy({ profile });
  const body = { rights: [{ kind: { ParticipantAdmin: { value: {} } } }] };
  expect(await requested(stub, "/v2/users/alice/rights", body)).toContain("userId");
});

test("the base URL links to the inspector for a browser alone", () => {
  const files = new Map([["/", { contentType: "text/html", body: new Uint8Array() }]]);
  const page = (accept: string, target = "/") =>
    baseUrlPage({ method: "GET", target, headers: [["Accept", accept]], body: emptyBody }, files);
  expect(page("text/html,*/*")?.body.text()).toContain('<a href="/__understudy/">');
  expect([page("*/*"), page("text/html", "/v2/users")]).toEqual([undefined, undefined]);
});

test.each(["POST /v2/commands/submit-and-wait-for-reassignment", "/v2/commands/submit-and-wait-for-reassignment"])(
  "explain says that the stub does not serve %s",
  async (about) => {
    const { call } = await connectedAssistant();
    expect((await call("explain", { about })).value).toMatchObject({
      entries: [{ kind: "operation that the stub does not serve" }],
    });
  },
);

test("command lines begin with npx where npx started the process", () => {
  const lines = "understudy token --user alice\nRun npx understudy serve, or node_modules/understudy run";
  expect(asCalled(lines, { npm_command: "exec" })).toBe(`npx ${lines}`);
  expect(asCalled(lines, {})).toBe(lines);
  expect(asCalled('{"command":"understudy check"}', { npm_command: "exec" })).toBe('{"command":"understudy check"}');
});

test.each([
  ["explain page-size", "page-size: rule for the node or registry\n  A page has at most pageSize users."],
  [
    "explain page-tokens-from-pages",
    "  advice: Send `nextPageToken` of the previous page unchanged, with URL encoding.\n",
  ],
  ["explain DIV-001", "docs/reference/divergences.md#div-001"],
])("explains without a network: %s", async (words, text) => {
  const ran = await understudy(words);
  expect(ran).toMatchObject({ exitCode: 0, error: "" });
  expect(ran.out).toContain(text);
});

test.each([
  ["explain", "understudy explain page-size"],
  [
    "explain page-siz",
    'there is no rule, probe, divergence, error code or operation "page-siz". Did you mean "page-size"?',
  ],
])("says what explain takes: %s", async (words, message) => {
  const ran = await understudy(words);
  expect(ran).toMatchObject({ exitCode: 2, out: "" });
  expect(ran.error).toContain(message);
});
