import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventsIn, root, temporaryFolder, understudy } from "./_command-line.ts";

/** The coverage of all runs of this file, by framework. */
const coverage = temporaryFolder();

/** Runs another test framework; gives its output and its exit code. */
function run(
  framework: "vitest" | "node-test",
  ...words: readonly string[]
): Promise<{ readonly code: number; readonly out: string }> {
  const file = process.execPath;
  const UNDERSTUDY_COVERAGE = join(coverage, framework);
  const env = { ...process.env, UNDERSTUDY_COVERAGE, NO_COLOR: "1", NODE_TEST_CONTEXT: undefined, VITEST: undefined };
  return new Promise((resolve) => {
    execFile(file, words, { cwd: root, env, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }, (error, out) =>
      resolve({ code: error === null ? 0 : Number(error.code), out }),
    );
  });
}

async function runVitest(spec: string, ...words: readonly string[]) {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const file = join(temporaryFolder(), "report.json");
  const flags = ["--root", "test/frameworks/vitest", "--reporter=json", `--outputFile=${file}`];
  await run("vitest", vitest, "run", ...flags, ...words, spec);
  const report = JSON.parse(readFileSync(file, "utf8"));
  const results = report.testResults.flatMap((tested: { assertionResults: unknown }) => tested.assertionResults);
  return { report, results: new Map<string, Result>(results.map((result: Result) => [result.title, result])) };
}

interface Result {
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

test("vitest: five hundred concurrent tests in one worker each have their own world", async () => {
  const { report } = await runVitest("parallel.spec.ts", "--maxConcurrency=500", "--maxWorkers=1");
  expect([report.numPassedTests, report.numFailedTests]).toEqual([501, 0]);
  const [merged] = eventsIn((await understudy(["check", "coverage", join(coverage, "vitest"), "--json"])).out);
  const statusesOf = (id: string) =>
    merged.operations.find(({ operationId }: { operationId: string }) => operationId === id).statuses;
  expect(merged.exchanges).toBeGreaterThanOrEqual(1001);
  expect(statusesOf("postV2Users")).toEqual({ 200: 500 });
  expect(statusesOf("getV2Users")[200]).toBeGreaterThanOrEqual(501);
});

test("vitest: an unexpected request or a broken client rule fails the test, and a failed test shows its timeline", async () => {
  const { results } = await runVitest("failing.spec.ts");
  const failuresOf = (title: string) => results.get(title)?.failureMessages.join("\n") ?? "";
  expect([...results.values()].map(({ status }) => status)).toEqual([
    "failed",
    "failed",
    "failed",
    "failed",
    "passed",
    "failed",
    "passed",
    "passed",
    "failed",
    "failed",
  ]);
  expect([...results.values()].map(({ failureMessages }) => failureMessages.length)).toEqual([
    1, 1, 1, 1, 0, 1, 0, 0, 1, 2,
  ]);
  const [first, second] =
    results.get("fails, and requests an unknown path when it is tried again")?.failureMessages ?? [];
  expect(first).not.toContain("unexpected request");
  expect(second).toContain("The test sent 1 unexpected request:");
  expect(failuresOf("injects a fault that no request meets")).toContain("received 0 matching calls");
  const unexpected = failuresOf("requests an unknown path");
  expect(unexpected).toContain("The test sent 1 unexpected request:");
  expect(unexpected.match(/GET \/v2\/userz {2}404/g)).toHaveLength(2);
  const plain = failuresOf("has a failing assertion");
  expect(plain).toContain("expected 1 to be 2");
  expect(plain).toContain(
    "Understudy received 1 request:\n   1  2026-01-01 00:05:00.000  GET /v2/users?pageSize=-2  400",
  );
  expect(failuresOf("closes its world and fails")).toContain("No timeline: the test closed its world.");
  expect(failuresOf("invents a page token")).toMatch(
    /The application breaks 1 client rule:\n {2}page-tokens-from-pages\n {3}1 .* GET \/v2\/users\?pageToken=/,
  );
  expect(failuresOf("expects a request that was not sent")).toContain('query at /pageSize: expected "2", actual "1"');
});

test("node:test: worlds, assertions and failures with a timeline", async () => {
  const folder = join(root, "test/frameworks/node-test");
  const specs = readdirSync(folder).map((file) => join(folder, file));
  const { code, out } = await run("node-test", "--test", "--test-reporter=tap", ...specs);
  expect(code).toBe(1);
  const { out: merged } = await understudy(["check", "coverage", join(coverage, "node-test")]);
  expect(merged).toContain("No test calls postV2Interactive-submissionExecuteandwait.");
  expect(out).toMatch(/^ok 1 - conforms to the spec$/m);
  expect(out).toMatch(/^ok 2 - has its own world$/m);
  expect(out).toMatch(/^not ok 3 - requests an unknown path$/m);
  expect(out).toContain("The test sent 1 unexpected request:");
  expect(out).toContain("Understudy received 1 request:");
  expect(out).toMatch(/stub\.spec\.ts:16:1/);
  expect(out).toMatch(/^not ok 4 - expects a request that was not sent$/m);
  expect(out).toMatch(/The operation was aborted due to timeout\n\s+Understudy received 1 request:/);
  expect(out).toMatch(/^# Understudy received 1 request:/m);
  expect(out).toMatch(/^not ok 7 - has no stub$/m);
  expect(out).toMatch(/^# fail 5$/m);
});
