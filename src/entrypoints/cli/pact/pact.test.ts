import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Ran, understudy } from "../../../../test/acceptance/_command-line.ts";

const folder = mkdtempSync(join(tmpdir(), "understudy-pact-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `understudy pact …`; gives the output without the last line break. */
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

test("pact check lists each interaction with its outcome, its line, and both sides of each finding", async () => {
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
    `${file}: wallet relies on canton (Pact V4), checked against spec, registry spec`,
    "  fine         the providers",
    "  warn         more, given there are some",
    "               response (line 45), a warning",
    "                 spec  only the header Content-Type (spec §4.2)",
    "                 pact  relies on ETag",
    "  CONTRADICTS  a status",
    "               response (line 64)",
    "                 spec  one of 200, 400, default (spec §7)",
    "                 pact  204",
    "  skipped      elsewhere (unsupported operation: GET /health)",
    "  skipped      an event (line 78): it is a message",
    "5 interactions: 1 fine, 1 with warnings, 1 contradicts the spec, 2 skipped",
  ]);
  expect(exitCode).toBe(1);
});

test("pact check accepts a folder, and --json prints one event per line", async () => {
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

test("pact check fails if no interaction was checked", async () => {
  const said =
    "No interaction was checked, so the check does not pass. Only HTTP interactions with operations of the spec are checked.";
  const message = { type: "Asynchronous/Messages", description: "an event" };
  const unsupported = {
    ...http,
    description: "elsewhere",
    request: { method: "GET", path: "/a?token=s3cret" },
    response: {},
  };
  for (const interactions of [[], [message], [unsupported]]) {
    const { exitCode, out, error } = await run("check", pactFile("none.json", ...interactions));
    expect([exitCode, error, out.includes("s3cret")]).toEqual([5, said, false]);
  }
});

test("pact check removes control characters from its output", async () => {
  const file = pactFile("all.json", { ...http, description: "red \u001b[31m", response: { status: 204 } });
  expect((await run("check", file)).out).not.toContain("\u001b");
});

test("pact write prints the Pact without --out, and lists the skipped steps", async () => {
  const { out, error } = await run("write", "scenarios/reassignment-by-steps.arazzo.yaml", "--consumer", "wallet");
  expect(JSON.parse(out)).toMatchObject({ consumer: { name: "wallet" }, provider: { name: "canton" } });
  expect(error).toContain("skipped step begin: it is a step on the control API");
});

test("pact write replaces a file only with --force, and pact check uses the profile in the file", async () => {
  const file = join(folder, "mine.json");
  writeFileSync(file, "mine");
  expect(await run("write", rights, "--out", file)).toMatchObject({
    exitCode: 2,
    error: expect.stringContaining("exists."),
  });
  expect(readFileSync(file, "utf8")).toBe("mine");
  const forced = await run("write", rights, "--out", file, "--force", "--profile", "canton-3.5");
  expect(forced.out).toBe(`wrote ${file}: 2 interactions`);
  expect((await run("check", file)).out).toContain("checked against canton-3.5, registry splice-0.8");
  expect((await run("check", file, "--profile", "spec")).out).toContain("checked against spec");
});

const newer = "scenarios/allocate-external-party.arazzo.yaml";
const supportedProfiles = `${newer} supports spec, canton-3.5, canton-3.6, not canton-3.4.11. Select one of these with --profile.`;

test.each<[string, readonly string[], string]>([
  ["no subcommand", [], "pact needs a subcommand: check, states, write. For example: understudy pact check pacts/"],
  ["a misspelt subcommand", ["chek"], 'There is no command "pact chek". Did you mean "pact check"?'],
  ["a misspelt flag", ["check", "--strcit"], "understudy pact check has no flag --strcit. Did you mean --strict?"],
  ["a misspelt profile", ["check", "--profile", "cantom-3.5", pactFile("a.json")], 'Did you mean "canton-3.5"?'],
  [
    "nothing to check",
    ["check"],
    "pact check needs at least one Pact file, or a folder of them: understudy pact check pacts/",
  ],
  ["a missing file", ["check", "nothing.json"], "File not found: nothing.json. Check the path"],
  ["a folder without Pacts", ["check", "scenarios"], "The folder scenarios contains no Pact file (*.json)."],
  [
    "another file",
    ["check", "package.json"],
    "package.json:1:1: the file is not a Pact file: it has no member interactions.",
  ],
  [
    "two scenarios to write",
    ["write", "a", "b"],
    "pact write takes exactly one scenario: understudy pact write my.arazzo.yaml",
  ],
  ["a release that the scenario does not support", ["write", newer, "--profile", "canton-3.4.11"], supportedProfiles],
  [
    "states in a release that the scenario does not support",
    ["states", newer, "--profile", "canton-3.4.11"],
    supportedProfiles,
  ],
  ["a node without hooks", ["states", "--ledger", "http://127.0.0.1:7"], "--ledger needs hooks"],
  ["a node with scenarios", ["states", rights, "--ledger", "http://127.0.0.1:7"], "--ledger takes no scenarios"],
  ["an invalid hook", ["states", "--hook", "x"], "--hook x: not a valid hook"],
  [
    "two scenarios with one name",
    ["states", rights, rights],
    'both have the provider state "alice is no administrator"',
  ],
])("refuses %s", async (_name, words, text) => {
  expect(await run(...words)).toMatchObject({ exitCode: 2, error: expect.stringContaining(text) });
});
