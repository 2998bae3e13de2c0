import { execFile } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { writeHar } from "../../src/recordings/har/write-har.ts";
import { lookupSample } from "../_sample-responses.ts";
import { scenarioOf } from "../_scenario.ts";
import { root, temporaryFolder, understudy } from "./_command-line.ts";
import { noted, recordingOf } from "./_inferred.ts";

const redocly = join(root, "node_modules/.bin/redocly");

test("imports a lookup that was noted by hand as a scenario that passes", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "offer.json"), JSON.stringify(lookupSample));
  const made = await understudy(["import", "offer.json"], { folder });
  expect(made).toMatchObject({ exitCode: 0, error: "" });
  expect(made.out).toContain("The stub plays it: every response equals the recorded one");
  const files = ["offer.arazzo.yaml", "offer.ledger.yaml", "offer.registry.yaml"];
  expect(readdirSync(folder).sort()).toEqual([files[0], "offer.json", ...files.slice(1)].sort());
  const checked = await understudy(["validate", ...files], { folder });
  expect(checked).toMatchObject({ exitCode: 0 });
  const ran = await understudy(["run", "offer.arazzo.yaml"], { folder });
  expect(ran.out).toContain("(canton-3.5): 1 of 1 steps\n");
  expect(ran.exitCode).toBe(0);
});

test("writes files with faults that pass validate, run and the Redocly linter", async () => {
  const folder = temporaryFolder();
  const recording = await recordingOf(scenarioOf("commit-then-timeout.arazzo.yaml"), "canton-3.5");
  writeFileSync(join(folder, "x.har"), writeHar(recording, "0.0.0"));
  const made = await understudy(["import", "x.har", "--out", "made.arazzo.yaml"], { folder });
  expect(made.out).toBe(`wrote made.arazzo.yaml (3 steps in profile canton-3.5), made.ledger.yaml, made.registry.yaml
Responses: 1 computed by the stub, 2 planned.
planned, because the stub computes another response:
  step 1 (POST /v2/interactive-submission/executeAndWait): the recorded response is 504 REQUEST_TIME_OUT, the stub's response is 400 INVALID_ARGUMENT
  step 2 (POST /v2/interactive-submission/executeAndWait): the recorded response is 409 DUPLICATE_COMMAND, the stub's response is 400 INVALID_ARGUMENT
The stub plays it: every response equals the recorded one, except ids and times.
`);
  const files = ["made.arazzo.yaml", "made.ledger.yaml", "made.registry.yaml"];
  expect((await understudy(["validate", ...files], { folder })).exitCode).toBe(0);
  const ran = await understudy(["run", "made.arazzo.yaml"], { folder });
  expect(ran.out).toContain("passed  made.arazzo.yaml (canton-3.5): 3 of 3 steps");
  const env = { ...process.env, REDOCLY_TELEMETRY: "off" };
  const linted = await promisify(execFile)(redocly, ["lint", "made.arazzo.yaml"], { cwd: folder, env });
  expect(`${linted.stdout}${linted.stderr}`).toContain("Your API description is valid");
});

test("writes a scenario that does not give a recorded response, reports that, and exits with 1; lists what is skipped", async () => {
  const folder = temporaryFolder();
  const exchanges = [
    noted({ target: "/__understudy/worlds/default", status: 500, response: { error: "x" } }),
    noted({ target: "/favicon.ico", status: 404, response: "" }),
  ];
  writeFileSync(join(folder, "x.har"), writeHar(exchanges, "0.0.0"));
  const made = await understudy(["import", "x.har", "--json"], { folder });
  expect(made.exitCode).toBe(1);
  expect(JSON.parse(made.out)).toMatchObject({
    event: "inferred",
    written: ["x.arazzo.yaml", "x.ledger.yaml", "x.registry.yaml"],
    steps: 1,
    world: "default",
    otherWorlds: [],
    unsupported: [{ request: "GET http://localhost/favicon.ico", count: 1 }],
    unresolved: [expect.stringContaining("the recorded response is 500 x, the stub's response is 200")],
  });
});

test.each([
  [["import"], /needs a recording/],
  [["import", "none.har"], /File not found: none\.har/],
  [["import", "x.har", "--profile", "canton-3"], /canton-3: unknown value/],
  [["import", "x.har", "--limit", "stepsMax=many"], /not a whole number. Use stepsMax=N, 0 to 10000/],
  [["import", "x.har", "--out", "nowhere/x.yaml"], /there is no folder/],
  [["import", "x.har"], /no exchange with a known operation, so there are no steps to write/],
])("understudy %j reports the problem", async (words, problem) => {
  const folder = temporaryFolder();
  const other = noted({ target: "/favicon.ico", status: 404, response: "" });
  writeFileSync(join(folder, "x.har"), writeHar([other], "0.0.0"));
  const { exitCode, error } = await understudy(words, { folder });
  expect({ exitCode, error }).toMatchObject({ exitCode: 2, error: expect.stringMatching(problem) });
});

test("imports what run --out writes: one world, and the number of exchanges of the other ones", async () => {
  const folder = temporaryFolder();
  const scenario = join(root, "scenarios/quickstart.arazzo.yaml");
  expect(await understudy(["run", scenario, "--out", "x.har", "--quiet"], { folder })).toMatchObject({ exitCode: 0 });
  const first = await understudy(["import", "x.har", "--out", "first.arazzo.yaml"], { folder });
  expect(first.out).toMatch(
    /^skipped, other worlds than run-1: \d+ exchanges of run-2 \(\d+\).*Choose one with --world NAME\.$/m,
  );
  expect(first.out).toContain("The stub plays it");
  const second = await understudy(["import", "x.har", "--world", "run-2", "--out", "second.arazzo.yaml"], { folder });
  expect(second.out).toMatch(/^skipped, other worlds than run-2: \d+ exchanges of run-1 /m);
  expect(await understudy(["run", "second.arazzo.yaml"], { folder })).toMatchObject({ exitCode: 0 });
  const none = await understudy(["import", "x.har", "--world", "run-99"], { folder });
  expect(none).toMatchObject({
    exitCode: 2,
    error: expect.stringMatching(/no exchange of the world run-99\. Its worlds: run-1 \(/),
  });
  const lookups = await understudy(["import", "x.har", "--registry-only"], { folder });
  expect(lookups.error).toMatch(/Choose one with --world NAME|no transfer-factory lookup/);
});
