import { relative } from "node:path";

export interface Count {
  readonly passed: number;
  readonly failed: number;
  /** The names of what failed, each with the first line of its message. */
  readonly failures: readonly string[];
}

/** The members of vitest's JSON report that are read here. */
export interface TestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/**
 * The tests of a run. A skipped test counts as failed. So does a file that does not load or has a suite without
 * tests, a run without a test, and a run that fails without any of these, such as by an error between tests.
 */
export function countTests(
  { testResults }: TestReport,
  { root, exitCode }: { readonly root: string; readonly exitCode: number | null },
): Count {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === "passed").length;
  const failures = testResults.flatMap((file) => failuresOf(file, relative(root, file.name)));
  if (failures.length === 0 && passed === 0) failures.push("no test ran");
  if (failures.length === 0 && exitCode !== 0) failures.push(`the run ended with exit code ${exitCode}`);
  return { passed, failed: failures.length, failures };
}

function failuresOf(file: TestReport["testResults"][number], name: string): readonly string[] {
  const failed = file.assertionResults.filter(({ status }) => status !== "passed");
  const shown = failed.map(
    (test) => `${name} > ${test.fullName}: ${firstLine(test.failureMessages?.[0] ?? test.status)}`,
  );
  const isBroken = file.message !== "" || (file.status !== "passed" && failed.length === 0);
  return isBroken ? [`${name}: ${firstLine(file.message) || "a suite has no tests"}`, ...shown] : shown;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
