// Runs a tier of the tests, two steps beside each other, and ends with the line `N passed, N failed`:
// `node tools/test.ts` for `npm test`, `node tools/test.ts deep` for `npm run test:deep`.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Count, countTests, type TestReport } from "./_count-tests.ts";

interface Step {
  readonly name: string;
  run(): Promise<Count>;
}

const root = fileURLToPath(new URL("..", import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), "understudy-tests-"));
process.once("exit", () => rmSync(temporary, { recursive: true, force: true }));

/** The test files come first: they take longest, and the other steps run beside them. */
const tiers: Readonly<Record<string, readonly Step[]>> = {
  quick: [
    testFiles("quick"),
    script("types", "types"),
    script("api", "api", "--check"),
    script("lint", "lint"),
    script("words", "lint:words"),
    script("generated", "generate", "--check"),
    script("contracts", "lint:contracts"),
  ],
  deep: [testFiles("deep")],
};
/** The second one runs beside the workers of vitest, which takes as many as there are cores. */
const stepsAtOnce = 2;

const [tier = "quick"] = process.argv.slice(2);
const steps = tiers[tier];
if (steps === undefined) throw new Error(`${tier}: not a tier. Use ${Object.keys(tiers).join(" or ")}.`);
const counts = await runAll(steps);
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
for (const failure of counts.flatMap(({ failures }) => failures)) console.log(`failed: ${failure}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function runAll(all: readonly Step[]): Promise<readonly Count[]> {
  const waiting = [...all];
  const counted: Count[] = [];
  const runNext = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) counted.push(await step.run());
  };
  await Promise.all(Array.from({ length: stepsAtOnce }, runNext));
  return counted;
}

/** A script of package.json that counts as one test. Its output is printed when it ends. */
function script(name: string, ...words: readonly string[]): Step {
  return {
    name,
    run: async () => {
      const startedMs = performance.now();
      const { exitCode, output } = await runScript(words);
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
      console.log(`== ${name}: ${exitCode === 0 ? "passed" : "failed"} (${seconds} s)\n${output}`);
      return exitCode === 0 ? { passed: 1, failed: 0, failures: [] } : { passed: 0, failed: 1, failures: [name] };
    },
  };
}

function runScript(words: readonly string[]): Promise<{ readonly exitCode: number | null; readonly output: string }> {
  const child = spawn("npm", ["run", "--silent", ...words.slice(0, 1), "--", ...words.slice(1)], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => resolve({ exitCode, output }));
  });
}

/** The test files of a project of vitest.config.ts, each test counted. Output is printed as it comes. */
function testFiles(project: string): Step {
  const report = join(temporary, `${project}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const words = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--project", project, ...reporters];
  return {
    name: "test files",
    run: () =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, words, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
        child.once("error", reject);
        child.once("close", (exitCode) => resolve(countTests(resultsIn(report), { root, exitCode })));
      }),
  };
}

function resultsIn(report: string): TestReport {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch (error) {
    console.error(`no report of the test files: ${error instanceof Error ? error.message : String(error)}`);
    return { testResults: [] };
  }
}
