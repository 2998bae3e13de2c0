import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Ran, understudy } from "../../../../test/acceptance/_command-line.ts";

const folder = mkdtempSync(join(tmpdir(), "understudy-pact-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `understudy pact …`, and what it printed without the last line's end. */
async function run(...words: readonly string[]): Promise<Ran> {
  const { exitCode, out, error } = await understudy(["pact", ...words]);
  return { exitCode, out: out.trimEnd(), error: error.trimEnd() };
}

function pactFile(name: string, ...interactions: readonly object[]): string {
  const file = join(folder, name);
  const sides = { consumer: { name: "wallet" }, provider: { name: "canton" } };
  const metadata = { pactSpecification: { version: "4.0" } };
  writeFileSync(file, JSON.stringify({ ...sides, interactions, metadata }, undefined, 1));
  return file;
}

const request = { method: "GET", path: "/v2/idps", headers: { Authorization: ["Bearer x"] } };
const http = { type: "Synchronous/HTTP", request };
const rights = "scenarios/rights.arazzo.yaml";

test("pact check tells of every interaction what it is, where it stands and what the contract says", async () => {
  const file = pactFile(
    "all.json",
    { ...http, description: "the providers", response: { status: 200 } },
    {
      ...http,
      description: "more",
      providerStates: [{ name: "there are some" }],
      response: { status: 200, headers: { ETag: ["x"] } },
    },
    { ...http, description: "a status", response: { status: 204 } },
    { ...http, description: "elsewhere", request: { method: "GET", path: "/health" }, response: { status: 200 } },
    { type: "Asynchronous/Messages", description: "an event" },
  );
  const { exitCode, out } = await run("check", file);
  expect(out.split("\n")).toEqual([
    `${file}: wallet relies on canton (Pact V4), checked against document, registry document`,
    "  fine         the providers",
    "  warn         more, given there are some",
    "               response (line 45), a warning",
    "                 contract  it promises no header but Content-Type (spec §4.2)",
    "                 pact      relies on ETag",
    "  CONTRADICTS  a status",
    "               response (line 64)",
    "                 contract  one of 200, 400, default (spec §7)",
    "                 pact      204",
    "  not checked  elsewhere (GET /health is outside of the contract)",
    "  not checked  an event (line 78): it is a message, and only exchanges over HTTP are checked",
    "5 interactions: 1 fine, 1 with warnings, 1 contradicts the contract, 2 not checked",
  ]);
  expect(exitCode).toBe(1);
});

test("pact check takes a folder, and --json gives an event a line", async () => {
  const own = join(folder, "own");
  mkdirSync(own);
  pactFile("own/all.json", { ...http, description: "a status", response: { status: 204 } });
  pactFile("own/other.json", { ...http, description: "the providers", response: { status: 200 } });
  const { out } = await run("check", own, "--json");
  const events = out.split("\n").map((line) => JSON.parse(line));
  expect(events).toMatchObject([
    { event: "interaction", outcome: "contradicts", line: 9, findings: [{ rule: "documented-status", section: "7" }] },
    { event: "interaction", outcome: "fine", operationId: "getV2Idps", findings: [] },
    { event: "checked", interactions: 2, fine: 1, contradicting: 1 },
  ]);
});

test("pact check does not pass where there was nothing to check", async () => {
  const said = "No interaction was checked, so the check does not pass.";
  const message = { type: "Asynchronous/Messages", description: "an event" };
  const outside = {
    ...http,
    description: "elsewhere",
    request: { method: "GET", path: "/a?token=s3cret" },
    response: {},
  };
  for (const interactions of [[], [message], [outside]]) {
    const { exitCode, out, error } = await run("check", pactFile("none.json", ...interactions));
    expect([exitCode, error, out.includes("s3cret")]).toEqual([2, said, false]);
  }
});

test("pact check reads text without letting it drive the terminal", async () => {
  const file = pactFile("all.json", { ...http, description: "red \u001b[31m", response: { status: 204 } });
  expect((await run("check", file)).out).not.toContain("\u001b");
});

test("pact write prints where no file is named, and says what it left out", async () => {
  const { out, error } = await run("write", "scenarios/reassignment-by-steps.arazzo.yaml", "--consumer", "wallet");
  expect(JSON.parse(out)).toMatchObject({ consumer: { name: "wallet" }, provider: { name: "canton" } });
  expect(error).toContain("left out: step begin, since it is a step on the control API");
});

test("pact write replaces a file only by force, and pact check goes by the profile that it names", async () => {
  const file = join(folder, "mine.json");
  writeFileSync(file, "mine");
  expect(await run("write", rights, "--out", file)).toMatchObject({
    exitCode: 2,
    error: expect.stringContaining("exists."),
  });
  expect(readFileSync(file, "utf8")).toBe("mine");
  const forced = await run("write", rights, "--out", file, "--force", "--profile", "canton-3.5");
  expect(forced.out).toBe(`wrote ${file}: 2 interactions`);
  expect((await run("check", file)).out).toContain("checked against canton-3.5, registry splice-0.7");
  expect((await run("check", file, "--profile", "spec")).out).toContain("checked against document");
});

const newer = "scenarios/allocate-external-party.arazzo.yaml";
const whereItHolds = `${newer} holds in document, canton-3.5, not in canton-3.4.11. Name one of these with --profile.`;

test.each<[string, readonly string[], string]>([
  ["no second word", [], "pact needs a second word: check, states, write."],
  ["a misspelt second word", ["chek"], 'There is no command "pact chek". Did you mean "check"?'],
  ["a misspelt flag", ["check", "--levle", "x"], 'understudy pact check has no flag --levle. Did you mean "level"?'],
  ["a misspelt profile", ["check", "--profile", "cantom-3.5", pactFile("a.json")], 'Did you mean "canton-3.5"?'],
  ["nothing to check", ["check"], "pact check needs at least one Pact file, or a folder of them."],
  ["a Pact that is not there", ["check", "nothing.json"], "There is no file nothing.json, or it cannot be read."],
  ["a folder without Pacts", ["check", "scenarios"], "scenarios is a folder without a Pact file (*.json)."],
  ["what is no Pact", ["check", "package.json"], "package.json:1: the file is no Pact file: it has no interactions."],
  ["two scenarios to write", ["write", "a", "b"], "pact write takes exactly one scenario."],
  ["a release in which a scenario does not hold", ["write", newer, "--profile", "canton-3.4.11"], whereItHolds],
  ["states of a release in which there are none", ["states", newer, "--profile", "canton-3.4.11"], whereItHolds],
  ["a node without hooks", ["states", "--ledger", "http://127.0.0.1:7"], "--ledger needs hooks"],
  ["a node with scenarios", ["states", rights, "--ledger", "http://127.0.0.1:7"], "--ledger goes without scenarios"],
  ["a hook that is none", ["states", "--hook", "x"], "--hook x is no hook"],
  [
    "two scenarios with one name",
    ["states", rights, rights],
    'both have the provider state "alice is no administrator"',
  ],
])("refuses %s", async (_name, words, text) => {
  expect(await run(...words)).toMatchObject({ exitCode: 2, error: expect.stringContaining(text) });
});
