import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commands } from "../../src/entrypoints/cli/commands.ts";
import { type Command, readOptions } from "../../src/entrypoints/cli/options.ts";
import { always, atPort } from "./_at-port.ts";
import { expectRefusal, folderOf, root, serving, temporaryFolder, understudy } from "./_command-line.ts";
import { servingProcess, start, understudyProcess } from "./_process.ts";

const quickstart = "scenarios/quickstart.arazzo.yaml";
const smallLedger = "participantId: p::1220ab\nidentityProviders: [{ id: i, issuer: i, jwksUrl: j }]\n";
const scenarioText = (ledger: string) => `arazzo: 1.0.1
info: { title: t, version: 1.0.0 }
sourceDescriptions: [{ name: ledger, url: ${root}contracts/ledger-json-api.yaml, type: openapi }]
workflows:
  - workflowId: w
    x-understudy:
      given: { ledger: ${ledger}, registry: ${root}fixtures/registries/amulet.yaml }
    steps:
      - stepId: users
        operationId: $sourceDescriptions.ledger.getV2Users
        parameters: [{ name: Authorization, in: header, value: Bearer any }]
        successCriteria: [{ condition: $statusCode == 200 }]
`;

const ftp = "ftp://localhost";
const closed = "http://127.0.0.1:1";

test.each([
  ["a misspelt command", "srve", 'There is no command "srve". Did you mean "serve"?'],
  ["a misspelt flag", "serve --prot 1", "understudy serve has no flag --prot. Did you mean --port?"],
  ["a flag without its value", "serve --port", "--port needs a value: --port N"],
  ["a misspelt profile", "serve --profile cantom-3.5", 'Did you mean "canton-3.5"?'],
  ["a misspelt profile to show", "profiles canton-3.7", 'Did you mean "canton-3.6" or "canton-3.5"?'],
  ["a port that is not a number", "serve --port x", "--port x: not a whole number. Use 0 to 65535."],
  ["a port out of range", "serve --port 99999", "--port 99999: out of range. Use 0 to 65535."],
  ["a seed below 0", "serve --seed -1", "--seed -1: out of range. Use 0 to 999999999999999."],
  ["an unknown authentication mode", "serve --auth baerer", 'Did you mean "bearer"?'],
  ["an address of another machine", "serve --host 192.0.2.1", "cannot listen on 192.0.2.1"],
  ["a short control token", "serve --control-token secret", "Use 16 to 256 characters; openssl"],
  [
    "a control token with spaces",
    ["serve", "--control-token", "a secret of mine"],
    "characters that a bearer token cannot have",
  ],
  ["a host with a port", "serve --allow-host stub:7575", "stub:7575: not a host name"],
  [
    "provider states on another address than loopback",
    "pact states --host 0.0.0.0",
    "0.0.0.0 is not a loopback address",
  ],
  [
    "a missing scenario",
    "serve no.yaml",
    "File not found: no.yaml. Check the path; it is relative to the working directory.",
  ],
  ["a world prefix that is not a word", "serve --world-prefix a-b", "--world-prefix a-b: not a valid prefix"],
  [
    "a store of another kind",
    "serve --store mysql://db",
    "--store: the value is not the URL of a store. Use memory:, sqlite:FILE, or postgres://USER:PASSWORD@HOST:PORT/DATABASE.",
  ],
  [
    "a password in the place of a store",
    "serve --store pwofthedatabase",
    /^(?!.*pwofthedatabase).*not the URL of a store/,
  ],
  ["a file that is not a store", "serve --store sqlite:README.md", "README.md cannot be used as a store:"],
  [
    "durability without a store",
    "serve --durability strict",
    "--durability has no effect without --store. Add --store URL, or remove",
  ],
  [
    "a journal kept for days",
    "serve --store sqlite:a.db --keep-journal P1D",
    "--keep-journal P1D: not a duration above",
  ],
  ["two scenarios to serve", `serve ${quickstart} ${quickstart}`, "serve takes one scenario"],
  [
    "an unknown registry",
    `run ${quickstart} --registry-profile splice-0.9`,
    'Did you mean "splice-0.8" or "splice-0.7"?',
  ],
  ["a target with credentials", `run ${quickstart} --against http://a:b@localhost`, "contains credentials"],
  ["a boolean flag with another value", "serve --cors=perhaps", "--cors=perhaps: neither true nor false."],
  ["a target with a query", `run ${quickstart} --against http://localhost/?a=1`, "contains credentials"],
  ["a target of another scheme", `run ${quickstart} --against ${ftp}`, "is not an http or https URL"],
  ["the first invalid port", "serve --port 65536", "--port 65536: out of range. Use 0 to 65535."],
  ["a seed with 16 digits", `serve --seed ${"1".repeat(16)}`, "out of range. Use 0 to 999999999999999."],
  [
    "a journal of size 0",
    "serve --limit journalExchangesMax=0",
    "--limit journalExchangesMax=0: out of range. Use 1 to 1000000",
  ],
  ["two recordings for a fixture", "import a.json b.json --registry-only", "import takes one recording."],
  ["two profiles", "profiles spec canton-3.5", "profiles takes one name"],
  ["no scenario to run", "run", "run needs at least one scenario: understudy run"],
  ["a target that is not a URL", `run ${quickstart} --against localhost`, "is not an http or https URL"],
  ["an unknown profile to run", `run ${quickstart} --profile canton-3.7`, 'Did you mean "canton-3.6" or "canton-3.5"?'],
  ["a time limit of letters", `run ${quickstart} --against ${closed} --timeout x`, "--timeout x: not a number."],
  ["a flag before the command", "-p 80", "-p: the command comes first, then its flags: understudy serve -p 80"],
  ["a misspelt subcommand", "check merg a.json", 'There is no command "check merg". Did you mean "check merge"?'],
  [
    "a folder as scenario",
    "run scenarios",
    "scenarios is a folder. Name a file in it, such as scenarios/allocate-external-party.arazzo.yaml, scenarios/autodetect-synchronizer.arazzo.yaml or scenarios/commit-then-timeout.arazzo.yaml.",
  ],
  [
    "a scenario as recording",
    `check ${quickstart}`,
    "a browser or a proxy. Run a scenario with understudy run; serve a fixture with",
  ],
  ["no recording", "check", "check needs a recording or a target. Name HAR files,"],
  [
    "an unknown operation before it contacts the target",
    `check --ledger ${closed} --require getV2Userz`,
    '--require getV2Userz: unknown value. Did you mean "getV2Users"?',
  ],
  ["a missing recording", "check x.har", "File not found: x.har. Check the path"],
  ["a folder as recording", "check scenarios", "scenarios is a folder. Name a file in it, such as scenarios/a"],
  ["another file as recording", "check package.json", "package.json is not a recording: it has no log.entries."],
  ["a flag that check does not have", "check x.har --level spec", "--help all lists the flags."],
  ["nothing to validate", "validate", "validate needs at least one file: understudy validate"],
  ["a ready file in a missing folder", "serve --port 0 --ready-file nowhere/url", "there is no folder"],
  ["a folder as ready file", "serve --port 0 --ready-file docs", "docs cannot be written: it is a folder."],
  ["a rare boolean flag with another value", "serve --port 0 --watch=yes", "--watch=yes: neither true nor false."],
  ["an empty value", ["run", quickstart, "--out", ""], "--out needs a value."],
  ["the scenario as output", `run ${quickstart} --out ${quickstart}`, "is the input and would be overwritten"],
  [
    "a time limit of 0",
    `run ${quickstart} --against ${closed} --timeout 0`,
    "--timeout 0: out of range. Use more than 0 seconds, and at most 3600.",
  ],
  ["a time before 1970", "serve --start 1969-12-31T23:59:59Z", "--start 1969-12-31T23:59:59Z: not a valid timestamp."],
  ["an invalid timestamp", "serve --start tomorrow", "--start tomorrow: not a valid timestamp. Use now, or"],
  ["help for an unknown command", "help rnu", 'There is no command "rnu". Did you mean "env" or "run"?'],
  ["a fixture to export", "export fixtures/ledgers/paging.yaml", "paging.yaml is a fixture, which has no steps"],
  ["a recording without a lookup", "import package.json --registry-only", "package.json is not a recording"],
])("refuses %s with exit code 2 and advice", (_name, words, message) => expectRefusal(words, message));

test("tells to quote a file name with spaces", async () => {
  const folder = folderOf({ "my rec.har": "{}" });
  const ran = await understudy(["check", "my", "rec.har"], { folder });
  expect(ran.error.split("\n").at(-2)).toBe('Put a file name with spaces in quotes: "my rec.har".');
});

test("a missing fixture is a problem of the line that names it", async () => {
  const folder = folderOf({ "s.yaml": scenarioText("none.yaml") });
  expect((await understudy(["validate", "s.yaml"], { folder })).out).toContain(
    "s.yaml:7:24: x-understudy.given.ledger: File not found: none.yaml. Check the path; it is relative to the scenario.",
  );
});

test("lists the commands in groups, and shows the help of each command", async () => {
  const overview = await understudy(["--help"]);
  const names = [...overview.out.matchAll(/^ {2}(?!understudy)(\w+) +\S/gm)].map(([, name = ""]) => name);
  const all =
    "init serve token env generate run check pact record replay import redact validate explain export profiles mcp completion";
  expect(names.join(" ")).toBe(all);
  expect(overview.out.match(/^[A-Z]+$/gm)).toEqual(["START", "MOCK", "TEST", "RECORD", "TOOLS"]);
  for (const name of names) expect((await understudy([name, "--help"])).out).toContain(`Usage: understudy ${name}`);
  expect(overview.out).not.toContain("\u001b");
});

test.each([
  [0, ["--version"]],
  [1, ["run", "scenarios/quickstart.arazzo.yaml", "--against", "URL"]],
  [2, ["serv"]],
  [3, ["run", "scenarios/quickstart.arazzo.yaml", "--against", closed]],
])("the process prints the same as the function, and exits with code %i", async (exitCode, words) => {
  const url = await atPort(always(404, "text/plain", "no such path"));
  const requested = words.map((word) => (word === "URL" ? url : word));
  const ran = await understudyProcess(requested);
  expect(ran).toEqual(await understudy(requested));
  expect(ran.exitCode).toBe(exitCode);
  expect(ran.error.includes("cannot be reached")).toBe(exitCode === 3);
});

test("`help COMMAND` and `COMMAND -h` are the same as `COMMAND --help`", async () => {
  const help = await understudy("run --help");
  expect([await understudy("help run"), await understudy("run -h")]).toEqual([help, help]);
});

test("uses colours with FORCE_COLOR, and not with NO_COLOR", async () => {
  const folder = folderOf({ "s.yaml": scenarioText("l.yaml").replace("== 200", "== 404"), "l.yaml": smallLedger });
  const out = async (variables: Readonly<Record<string, string>>) =>
    (await understudy(["run", "s.yaml", "--profile", "spec"], { folder, variables })).out;
  expect(await out({})).not.toContain("\u001b");
  expect(await out({ FORCE_COLOR: "1" })).toContain("\u001b[31mFAILED");
  expect(await out({ FORCE_COLOR: "1", NO_COLOR: "1" })).not.toContain("\u001b");
  expect(await out({})).toMatch(/^ {4}actual {4}200 application\/json \{"users":\[/m);
});

const step = scenarioText("l.yaml");
test.each([
  ["a misspelt criterion", step.replace("successCriteria", "succesCriteria"), 'Did you mean "successCriteria"?'],
  [
    "a misspelt body",
    step.replace("parameters:", "requestbody: {}\n        parameters:"),
    'Did you mean "requestBody"?',
  ],
  ["an unknown place of a parameter", step.replace("in: header", "in: heder"), 'Did you mean "header"?'],
  [
    "an unknown source description",
    step.replace("Descriptions.ledger", "Descriptions.leger"),
    'Did you mean "ledger"?',
  ],
  ["two steps with the same name", `${step}      - { stepId: users, operationId: a }\n`, 'duplicate step id "users"'],
  ["another release of Arazzo", step.replace("arazzo: 1.0.1", "arazzo: 2.0.0"), "Write it as 1.0.1."],
  ["an empty file", "", "the file is empty"],
])("run and serve refuse a scenario with %s", async (_what, text, message) => {
  const folder = folderOf({ "s.yaml": text, "l.yaml": smallLedger });
  for (const command of ["run", "serve"]) await expectRefusal(`${command} s.yaml`, message, { folder });
});

test("a scenario without steps can be served, but not run", async () => {
  const folder = folderOf({
    "s.yaml": `${step.slice(0, step.indexOf("    steps:"))}    steps: []\n`,
    "l.yaml": smallLedger,
  });
  expect(await understudy(["validate", "s.yaml"], { folder })).toMatchObject({ exitCode: 0 });
  const ran = await understudy(["run", "s.yaml"], { folder });
  expect([ran.exitCode, ran.error]).toEqual([2, expect.stringContaining("has no steps: there is nothing to run.")]);
  const fixture = await understudy(["run", "l.yaml"], { folder });
  expect([fixture.exitCode, fixture.error]).toEqual([2, expect.stringContaining("understudy serve l.yaml")]);
});

test.concurrent("serve removes an old ready file when it starts, and its own when it stops", async () => {
  const folder = folderOf({ url: "http://127.0.0.1:1\n" });
  const file = join(folder, "url");
  const { url, child } = await servingProcess(["--ready-file", "url"], { folder });
  expect(readFileSync(file, "utf8")).toBe(`${url}\n`);
  expect((await fetch(`${url}/__understudy/worlds`)).status).toBe(200);
  child.kill("SIGTERM");
  await once(child, "close");
  expect(existsSync(file)).toBe(false);
});

test("run skips profiles that a scenario does not support, and warns of a target that serves another scenario", async () => {
  const skipped = await understudy(`run scenarios/vetting-dependencies.arazzo.yaml ${quickstart} --profile spec`);
  expect(skipped.exitCode).toBe(0);
  const { url } = await serving([]);
  const ran = await understudy(["run", "scenarios/paging.arazzo.yaml", "--against", url]);
  expect(ran.error).toContain(`${url} serves the scenario quickstart. scenarios/paging.arazzo.yaml expects`);
});

test("prints its version", async () => {
  const description: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(description).toMatchObject({ version: (await understudy(["--version"])).out.trim() });
});

test.each(["bearer", "user", "none"])(
  "serves the quickstart, and prints example requests that work in mode %s",
  async (mode) => {
    const { url, ready } = await serving(["--auth", mode]);
    const lines = [...ready.matchAll(/^ {2}(curl .+)$/gm)].map(([, line = ""]) => line);
    expect(lines.length).toBeGreaterThanOrEqual(4);
    for (const line of mode === "bearer" ? lines : lines.slice(0, 3)) {
      const words = execFileSync("sh", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8" }).split("\0");
      const token = words.find((word) => word.startsWith("Authorization: "))?.slice("Authorization: ".length);
      const body = words.includes("-d") ? words[words.indexOf("-d") + 1] : undefined;
      const received = await fetch(words.find((word) => word.startsWith("http:")) ?? "", {
        headers: { ...(token === undefined ? {} : { Authorization: token }), "Content-Type": "application/json" },
        ...(body === undefined ? {} : { method: "POST", body }),
      });
      expect([line, received.status]).toEqual([line, 200]);
    }
    expect(ready).toContain(url);
  },
);

test.concurrent("run ends at the first signal", async () => {
  const requested = Promise.withResolvers<void>();
  const child = start(["run", quickstart, "--against", await atPort(() => requested.resolve())]);
  await requested.promise;
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([null, "SIGINT"]);
});

test("check fails an incomplete response, unless the client can be the reason", async () => {
  const folder = temporaryFolder();
  const har = (entries: unknown) => JSON.stringify({ log: { entries } });
  const request = { method: "GET", url: "http://a/v2/users", headers: [] };
  writeFileSync(join(folder, "broken.har"), har([{ request, response: { status: 0, _error: "net::ERR_TIMED_OUT" } }]));
  writeFileSync(join(folder, "left.har"), har([{ request, response: { status: 0 } }]));
  writeFileSync(join(folder, "empty.har"), har([]));
  expect(await understudy(["check", "broken.har"], { folder })).toMatchObject({ exitCode: 1 });
  const left = await understudy(["check", "left.har"], { folder });
  expect([left.exitCode, left.out]).toEqual([5, expect.stringContaining("0 failed, 1 not checked.")]);
  const empty = await understudy(["check", "empty.har"], { folder });
  expect([empty.exitCode, empty.error]).toEqual([2, expect.stringContaining("Nothing to check")]);
});

test("flags on the command line take precedence over the environment", async () => {
  const { url } = await serving(["--auth", "none"], {
    variables: { UNDERSTUDY_AUTH: "bearer", UNDERSTUDY_PROFILE: "canton-3.5" },
  });
  const received = await fetch(`${url}/v2/users?pageSize=-1`);
  expect(received.status).toBe(400);
  expect(received.headers.get("content-type")).toBe("application/json");
});

test("a wrong value from the environment names its variable", async () => {
  const ran = await understudy(["serve"], { variables: { UNDERSTUDY_PORT: "abc" } });
  expect(ran.exitCode).toBe(2);
  expect(ran.error).toMatch(/^--port abc: .*\nIt is set by UNDERSTUDY_PORT in the environment\.$/m);
});

test("ids of forks start with --world-prefix", async () => {
  const { url } = await serving(["--world-prefix", "a"]);
  const made = await fetch(`${url}/__understudy/worlds/default/fork`, { method: "POST" });
  expect(await made.json()).toEqual({ id: "a-1", path: "/w/a-1" });
  expect((await fetch(`${url}/w/a-1/livez`)).status).toBe(200);
});

test("worlds of --store go on after a restart", async () => {
  const store = ["--store", `sqlite:${join(temporaryFolder(), "store.db")}`, "--keep-journal", "PT1H"];
  const user = { method: "POST", headers: { Authorization: "Bearer any", "Content-Type": "application/json" } };
  const first = await serving(store);
  const made = await fetch(`${first.url}/v2/users`, { ...user, body: JSON.stringify({ user: { id: "zoe" } }) });
  expect(made.status).toBe(200);
  expect((await first.end()).exitCode).toBe(0);
  const { url } = await serving(store);
  expect((await fetch(`${url}/v2/users/zoe`, { headers: { Authorization: "Bearer any" } })).status).toBe(200);
  const journal = await (await fetch(`${url}/__understudy/worlds/default/journal`)).text();
  const { exchanges }: { readonly exchanges: readonly { readonly target: string }[] } = JSON.parse(journal);
  expect(exchanges.map(({ target }) => target)).toEqual(["/v2/users", "/v2/users/zoe"]);
});

test("reports a port in use, and the flag that helps", async () => {
  const { url } = await serving([]);
  const ran = await understudy(["serve", "--port", new URL(url).port]);
  expect(ran).toMatchObject({ exitCode: 2 });
  expect(ran.error).toContain("--port 0 for a free one");
});

test.concurrent.each(["SIGINT", "SIGTERM"] as const)("ends at %s with exit code 0", async (signal) => {
  const { child } = await servingProcess([]);
  child.kill(signal);
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("serves no control API with --no-control", async () => {
  const { url } = await serving(["--no-control"]);
  expect((await fetch(`${url}/__understudy/worlds`)).status).toBe(404);
});

test("refuses pages of other origins on every path, unless --cors", async () => {
  const post = async (words: readonly string[], origin: string) => {
    const { url } = await serving(words);
    const received = await fetch(`${url}/v2/users`, {
      method: "POST",
      headers: { Authorization: "Bearer any", Origin: origin.replace("OWN", url), "Content-Type": "text/plain" },
      body: JSON.stringify({ user: { id: "from-a-page", primaryParty: "" }, rights: [] }),
    });
    const created = await fetch(`${url}/v2/users/from-a-page`, { headers: { Authorization: "Bearer any" } });
    const shown = ["access-control-allow-origin", "understudy-reason"].map((name) => received.headers.get(name));
    return [received.status, created.status, ...shown];
  };
  for (const origin of ["http://a.example", "http://localhost:3000", "null"])
    expect(await post(["--profile", "canton-3.5"], origin)).toEqual([
      ...[403, 404, null],
      `A page of another origin, ${origin}, sent this request. Start with --cors, or with the option cors: true, to allow it.`,
    ]);
  expect(await post(["--profile", "canton-3.5"], "OWN")).toEqual([200, 200, null, null]);
  const allowed = ["--profile", "canton-3.5", "--allow-host", "a.example"];
  expect(await post(allowed, "http://a.example")).toEqual([200, 200, null, null]);
  expect(await post(["--profile", "canton-3.5", "--cors"], "http://a.example")).toEqual([200, 200, "*", null]);
});

test("validate reports every problem of a file with its line, and exits with code 2", async () => {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, "ledger.yaml"),
    "participantId: unknown\nusrs: []\nusers:\n  - { id: 'a b' }\n  - { id: x, rights: [CanFly] }\n",
  );
  writeFileSync(join(folder, "cut.yaml"), "participantId: [\n");
  const ran = await understudy(["validate", "ledger.yaml", "cut.yaml", "none.yaml"], { folder });
  expect(ran.exitCode).toBe(2);
  expect(ran.out).toMatch(/^ledger.yaml:2:\d+: the file has the unknown member "usrs"\. Did you mean "users"\?$/m);
  expect(ran.out).toMatch(/^ledger.yaml:5:\d+: users\.1\.rights\.0 .*CanReadAsAnyParty/m);
  expect(ran.out).toMatch(
    /^cut.yaml:1:16: a bracket is not closed\. Add the closing \], and indent all lines up to it\.$/m,
  );
  expect(ran.out).toMatch(/^File not found: none.yaml/m);
  const targetFile = "ledger: http://localhost:7575/?a=1\nregistry: nowhere\n";
  writeFileSync(join(folder, "target.yaml"), targetFile);
  const { out } = await understudy(["validate", "target.yaml"], { folder });
  expect(out).toMatch(/^target.yaml:1:9: ledger contains credentials, a query.*\ntarget.yaml:2:11: registry nowhere/);
  expect((await understudy(["check", "--target", "target.yaml"], { folder })).error).toBe(out);
  writeFileSync(join(folder, "other.yaml"), "openapi: 3.1.0\n");
  expect((await understudy(["validate", "other.yaml"], { folder })).out).toContain("unknown kind of file");
});

test("all scenarios and fixtures of the package are valid", async () => {
  const files = ["scenarios", "fixtures/ledgers", "fixtures/registries"].flatMap((folder) =>
    readdirSync(join(root, folder)).map((file) => `${folder}/${file}`),
  );
  const ran = await understudy(["validate", ...files]);
  expect(ran.exitCode).toBe(0);
  expect(ran.out.trim().split("\n")).toEqual(files.map((file) => `${file}: valid`));
});

test("validate refuses YAML bombs, deep nesting and binary files", async () => {
  const folder = temporaryFolder();
  const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\n${"bcdefghij"
    .split("")
    .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${"abcdefghi"[index]}`).join(", ")}]`)
    .join("\n")}\n`;
  writeFileSync(join(folder, "bomb.yaml"), bomb);
  writeFileSync(join(folder, "deep.yaml"), `participantId: ${"[".repeat(20_000)}`);
  writeFileSync(join(folder, "bytes.yaml"), new Uint8Array([0xff, 0xfe, 0, 1]));
  const ran = await understudy(["validate", "bomb.yaml", "deep.yaml", "bytes.yaml"], { folder });
  expect(ran.exitCode).toBe(2);
  expect(ran.error).toBe("");
});

test("run counts planned responses, which break no rule", async () => {
  const folder = temporaryFolder();
  const text = readFileSync(join(root, "scenarios/quickstart.arazzo.yaml"), "utf8").replaceAll("../", `${root}/`);
  const plan =
    '[{ on: getV2Users, instead: { status: 200, body: { users: [{ id: alice }], nextPageToken: "", a: 1 } } }]';
  writeFileSync(join(folder, "planned.yaml"), text.replace(/^( *)seed: .*/m, `$&\n$1plan: ${plan}`));
  const ran = await understudy(["run", "planned.yaml", "--profile", "spec", "--strict"], { folder });
  expect(ran).toMatchObject({ exitCode: 0, error: "" });
  expect(ran.out).toContain("1 of 1 steps\nSteps: 1 passed, 0 failed.\nResponses: 0 checked, 1 planned.\n");
  const faults = readFileSync(join(root, "scenarios/network-faults.arazzo.yaml"), "utf8").replaceAll("../", `${root}/`);
  const reset = `      - stepId: reset
        operationId: $sourceDescriptions.ledger.getV2Idps
        parameters: [{ name: Authorization, in: header, value: Bearer any }]
        x-broken: truncated
`;
  const entry = "      plan:\n        - { on: getV2Idps, after: { resetAfter: 20 } }\n";
  writeFileSync(join(folder, "faults.yaml"), faults.replace("      plan:\n", entry) + reset);
  const faulty = await understudy(["run", "faults.yaml", "--profile", "spec"], { folder });
  expect(faulty).toMatchObject({ exitCode: 0, error: "" });
  expect(faulty.out).toContain("Steps: 6 passed, 0 failed.\nResponses: 5 checked, 1 planned.\n");
});

test("run counts the steps that it cannot run against its target", async () => {
  const scenario = join(root, "scenarios/reassignment-by-steps.arazzo.yaml");
  const { url } = await serving([scenario, "--no-control"]);
  const ran = await understudy(`run ${scenario} --against ${url} --profile spec`);
  expect(ran.exitCode).toBe(1);
  expect(ran.out).toContain("Steps: 1 passed, 0 failed, 4 not run.\nResponses: 1 checked.\n");
});

test("runs a scenario against a served stub, and writes a recording that check reads", async () => {
  const folder = temporaryFolder();
  const { url } = await serving([join(root, "scenarios/reassignment-by-steps.arazzo.yaml")]);
  const scenario = join(root, "scenarios/reassignment-by-steps.arazzo.yaml");
  const ran = await understudy(`run ${scenario} --against ${url} --profile spec --out seen.har`, { folder });
  expect(ran).toMatchObject({ exitCode: 0, error: "" });
  expect(ran.out).toContain("5 of 5 steps\nSteps: 5 passed, 0 failed.\nResponses: 3 checked.\n");
  const { worlds } = JSON.parse(await (await fetch(`${url}/__understudy/worlds`)).text());
  expect(worlds.map(({ id, requests }: { id: string; requests: number }) => [id, requests])).toEqual([["default", 0]]);
  const checked = await understudy(["check", "seen.har", "--profile", "spec", "--json"], { folder });
  expect(checked.exitCode).toBe(0);
  const counts = { exchanges: 5, passed: 3, unsupported: 2, failed: 0 };
  expect(JSON.parse(checked.out)).toMatchObject({ event: "verdict", ...counts });
});

test("writes no file if the folder of a recording is missing", async () => {
  const folder = temporaryFolder();
  const ran = await understudy(["run", join(root, quickstart), "--out", "no/such/folder.har"], { folder });
  expect(ran).toMatchObject({ exitCode: 2 });
  expect(ran.error).toContain("no/such/folder.har cannot be written");
  expect(existsSync(join(folder, "no"))).toBe(false);
});

test("each run starts from the initial state of the served world", async () => {
  const { url } = await serving([join(root, "scenarios/reassignment-by-steps.arazzo.yaml")]);
  const body = '{"contract":"external-party-amulet-rules","to":"synchronizer-b"}';
  const begun = await fetch(`${url}/__understudy/worlds/default/reassignments/begin`, { method: "POST", body });
  expect(begun.status).toBe(200);
  const scenario = join(root, "scenarios/reassignment-by-steps.arazzo.yaml");
  expect(await understudy(["run", scenario, "--against", url, "--profile", "spec"])).toMatchObject({ exitCode: 0 });
});

test.concurrent("serve ends at the second signal, even if a request is incomplete", async () => {
  const { url, child } = await servingProcess([]);
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write("POST /v2/users/alice/rights HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 50\r\n\r\n{");
  expect((await fetch(`${url}/v2/idps`)).status).toBe(401);
  child.kill("SIGTERM");
  while (await fetch(`${url}/v2/idps`).catch(() => undefined));
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([130, null]);
});

test("an empty environment variable is not set, and 0 switches a flag off", async () => {
  const variables = { UNDERSTUDY_STRICT: "", UNDERSTUDY_PROFILE: "", UNDERSTUDY_JSON: "0" };
  const ran = await understudy(["run", quickstart], { variables });
  expect(ran).toMatchObject({ exitCode: 0, error: "" });
  expect(ran.out).toMatch(/^passed {2}/);
});

test("the help of every command fits one screen and ends with two examples that parse", async () => {
  const loaded = await Promise.all(commands.map(({ load }) => load()));
  const all = loaded.flatMap((command) => [command, ...(command.subcommands ?? [])]);
  for (const { name } of all) {
    const lines = (await understudy([...name.split(" "), "--help"])).out.trimEnd().split("\n");
    const widest = Math.max(...lines.map(({ length }) => length));
    expect([name, lines.length <= 40, widest <= 100]).toEqual([name, true, true]);
    const heading = lines.lastIndexOf("Examples:");
    const examples = lines.slice(heading + 1);
    expect([name, heading > 0, examples.length]).toEqual([name, true, 2]);
    for (const example of examples) expect(() => parseExample(example, all)).not.toThrow();
  }
});

/** Reads the words of an example as its command does. Throws where they do not parse. */
function parseExample(example: string, all: readonly Command[]): void {
  const words = [...example.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
  const name = all
    .map((command) => command.name)
    .filter((candidate) => `${words.slice(1).join(" ")} `.startsWith(`${candidate} `))
    .sort((left, right) => right.length - left.length)[0];
  const command = all.find((candidate) => candidate.name === name);
  if (words[0] !== "understudy" || command === undefined) throw new Error(`${example} names no command`);
  readOptions(command, words.slice(1 + command.name.split(" ").length), { variables: {}, folder: root });
}

test("--help all shows every flag of a command", async () => {
  const [help, all] = await Promise.all([understudy(["serve", "--help"]), understudy(["serve", "--help", "all"])]);
  expect(help.out).not.toContain("--limit");
  expect(help.out).toContain("understudy serve --help all");
  const { flags } = await import("../../src/entrypoints/cli/serve/serve.ts").then(({ serve }) => serve);
  for (const { name } of flags) expect(all.out).toContain(` --${name}`);
  expect(await understudy(["help", "serve", "all"])).toEqual(all);
});

test("-p sets the port, and -q prints problems only", async () => {
  expect((await understudy(["serve", "-p", "x"])).error).toContain("--port x: not a whole number.");
  expect(await understudy(["run", quickstart, "-q"])).toEqual({ exitCode: 0, out: "", error: "" });
  expect(await understudy(["validate", quickstart, "-q"])).toEqual({ exitCode: 0, out: "", error: "" });
});

test("profiles lists the profiles, and the divergences of one, with whether the stub plays them", async () => {
  const names = (await understudy("profiles")).out.split("\n").map((line) => line.split(" ")[0]);
  expect(names).toEqual(expect.arrayContaining(["spec", "canton-3.5", "splice-0.7"]));
  const [text, json] = [await understudy("profiles canton-3.5"), await understudy("profiles canton-3.5 --json")];
  const lines = text.out.trim().split("\n").slice(1);
  const { name, divergences } = JSON.parse(json.out);
  expect([name, divergences[0]?.id]).toEqual(["canton-3.5", "DIV-001"]);
  expect(lines.map((line) => line.trim().split(/ {2,}/).slice(0, 2))).toEqual(
    divergences.map(({ id, played }: { id: string; played: string }) => [id, played]),
  );
  expect(divergences.map(({ played }: { played: string }) => played)).toEqual(expect.arrayContaining(["yes", "no"]));
});

test("checks against the default release, and refuses a recording without operations of the spec", async () => {
  const folder = temporaryFolder();
  const har = (path: string, status: number, text: string) => {
    const request = { method: "GET", url: `http://a${path}`, headers: [] };
    const response = { status, headers: [], content: { mimeType: "application/json", text } };
    return JSON.stringify({ log: { entries: [{ request, response }] } });
  };
  const members = '"correlationId":null,"traceId":"ab","retryInfo":null,"definiteAnswer":null,"resources":[]';
  const refusal = `{"code":"INVALID_ARGUMENT","cause":"no","context":{},"errorCategory":8,"grpcCodeValue":3,${members}}`;
  writeFileSync(join(folder, "known.har"), har("/v2/users", 400, refusal));
  writeFileSync(join(folder, "version.har"), har("/v2/version", 200, '{"version":"3.6.1"}'));
  writeFileSync(join(folder, "outside.har"), har("/v2/version", 200, "{}"));
  const check = async (...words: readonly string[]) => (await understudy(["check", ...words], { folder })).exitCode;
  expect(await check("known.har")).toBe(0);
  expect(await check("known.har", "--profile", "auto")).toBe(0);
  expect(await check("known.har", "--strict")).toBe(1);
  expect(await check("known.har", "--profile", "spec")).toBe(1);
  expect(await check("outside.har")).toBe(5);
  const { out } = await understudy(["check", "known.har", "version.har"], { folder });
  expect(out).toContain("Checked against canton-3.6 (the target is 3.6.1),");
});

test("serves with the clock and the registry profile of its flags", async () => {
  const { url } = await serving(["--clock", "x60", "--profile", "spec", "--registry-profile", "splice-0.7", "--json"]);
  const world = async () => JSON.parse(await (await fetch(`${url}/__understudy/worlds/default`)).text()).now;
  const before = await world();
  let after = before;
  while (after === before) after = await world();
  expect(Date.parse(after)).toBeGreaterThan(Date.parse(before));
  const lookup = `${url}/registry/transfer-instruction/v2/transfer-factory`;
  const received = await fetch(lookup, { method: "POST", body: "{", headers: { "Content-Type": "application/json" } });
  expect(received.headers.get("content-type")).toBe("text/plain; charset=UTF-8");
});

test("with --cors, pages of other origins can send a preflight request and read the reason of a refusal", async () => {
  const { url } = await serving(["--cors", "--profile", "canton-3.5"]);
  const preflightFor = async (more: Record<string, string>) => {
    const headers = { Origin: "http://localhost:3000", ...more };
    const { status, headers: received } = await fetch(`${url}/v2/users/alice`, { method: "OPTIONS", headers });
    const names = ["methods", "headers", "private-network"];
    return [status, ...names.map((name) => received.get(`access-control-allow-${name}`))];
  };
  const byDefault = "Authorization, Content-Type, Understudy-World, traceparent";
  expect(await preflightFor({})).toEqual([204, "GET, POST, PATCH, DELETE", byDefault, null]);
  const requested = {
    "Access-Control-Request-Method": "PUT",
    "Access-Control-Request-Headers": "authorization,baggage,x-request-id",
    "Access-Control-Request-Private-Network": "true",
  };
  expect(await preflightFor(requested)).toEqual([
    204,
    "GET, POST, PATCH, DELETE, PUT",
    "authorization,baggage,x-request-id",
    "true",
  ]);
  const refused = await fetch(`${url}/v2/idps`);
  expect(refused.headers.get("access-control-expose-headers")).toBe("Understudy-Reason, Understudy-Warning");
  expect(refused.headers.get("understudy-reason")).toMatch(/^UNAUTHENTICATED: /);
});

test("recognizes the kind of a file by each of its own members", async () => {
  const folder = temporaryFolder();
  for (const member of ["users", "synchronizers", "factory", "workflows"])
    writeFileSync(join(folder, `${member}.yaml`), `${member}: 1\n`);
  for (const member of ["users", "synchronizers", "factory", "workflows"])
    expect((await understudy(["validate", `${member}.yaml`], { folder })).out).not.toContain("unknown kind of file");
});

test("all scenarios of the repository pass in every profile that they support", async () => {
  const files = readdirSync(join(root, "scenarios")).map((file) => join(root, "scenarios", file));
  const ran = await understudy(["run", ...files]);
  expect(ran).toMatchObject({ exitCode: 0, error: "" });
  expect(ran.out.match(/^passed /gm)?.length).toBeGreaterThan(3 * files.length);
});

test("run fails if any of its scenarios fails", async () => {
  const folder = temporaryFolder();
  const text = scenarioText(join(root, "fixtures/ledgers/paging.yaml"));
  writeFileSync(join(folder, "red.arazzo.yaml"), text.replace("$statusCode == 200", "$statusCode == 201"));
  const red = join(folder, "red.arazzo.yaml");
  for (const files of [
    [red, quickstart],
    [quickstart, red],
  ]) {
    const ran = await understudy(["run", ...files, "--profile", "canton-3.5"]);
    expect(ran.exitCode).toBe(1);
    expect(ran.out.match(/^(?:passed|FAILED)/gm)?.sort()).toEqual(["FAILED", "passed"]);
    expect(ran.out.match(/FAIL step-criterion: /g)).toHaveLength(1);
  }
  const inAll = await understudy(["run", red]);
  expect(inAll.out.match(/^FAILED/gm)).toHaveLength(5);
  // The users of 3.4 have fewer members.
  expect(inAll.out.match(/FAIL step-criterion: /g)).toHaveLength(2);
  expect(inAll.out).toContain("(canton-3.6): 0 of 1 steps\n  the same failures as with spec\n");
});

test("runs a scenario in the profiles that support its ledger", async () => {
  const folder = folderOf({ "bare.yaml": "participantId: p::1220ab\n" });
  const text = scenarioText("bare.yaml").replace("      given:", "      profile: canton-3.5\n      given:");
  writeFileSync(join(folder, "s.arazzo.yaml"), text);
  const ran = await understudy(["run", "s.arazzo.yaml"], { folder });
  expect(ran).toMatchObject({ exitCode: 0, error: "" });
  expect(ran.out).toContain("(canton-3.5)");
  expect(ran.out).not.toContain("(spec)");
});

test("prints example requests for the users of the scenario, and none for the control API with --no-control", async () => {
  const folder = temporaryFolder();
  const users =
    '[{ id: "#a", deactivated: true, rights: [ParticipantAdmin] }, { id: root, rights: [ParticipantAdmin] }]';
  const provider = "identityProviders: [{ id: c, issuer: i, jwksUrl: j }]";
  writeFileSync(join(folder, "ledger.yaml"), `participantId: p::1220ab\n${provider}\nusers: ${users}\n`);
  writeFileSync(join(folder, "s.arazzo.yaml"), scenarioText("ledger.yaml"));
  const { ready } = await serving(["s.arazzo.yaml", "--auth", "user", "--no-control"], { folder });
  expect(ready).toContain('"Authorization: Bearer root"');
  expect(ready).toContain("/v2/users/%23a/rights");
  expect(ready).not.toContain("__understudy");
});
