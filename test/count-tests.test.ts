import { expect, test } from "vitest";
import { countTests, type TestReport } from "../tools/_count-tests.ts";

type File = TestReport["testResults"][number];

const file = (more: Partial<File> = {}): File => ({
  name: "/r/a.test.ts",
  status: "passed",
  message: "",
  assertionResults: [{ fullName: "is fine", status: "passed" }],
  ...more,
});
const counted = (testResults: readonly File[], exitCode: number | null = 1) =>
  countTests({ testResults }, { root: "/r", exitCode });

test("counts passed tests", () => {
  expect(counted([file(), file()], 0)).toEqual({ passed: 2, failed: 0, failures: [] });
});

test("a file that does not load counts as failed, beside a failed test too", () => {
  const message = "Cannot find module './b.ts'\n at x";
  const failing = { fullName: "breaks", status: "failed", failureMessages: ["expected 1\nto be 2"] };
  const broken = file({ status: "failed", message, assertionResults: [] });
  expect(counted([file(), broken, file({ status: "failed", assertionResults: [failing] })])).toEqual({
    passed: 1,
    failed: 2,
    failures: ["a.test.ts: Cannot find module './b.ts'", "a.test.ts > breaks: expected 1"],
  });
});

test.each([
  ["a suite without tests", [file({ status: "failed" })], "a.test.ts: a suite has no tests"],
  ["a skipped test", [file({ assertionResults: [{ fullName: "x", status: "skipped" }] })], "a.test.ts > x: skipped"],
  ["a planned test", [file({ assertionResults: [{ fullName: "x", status: "todo" }] })], "a.test.ts > x: todo"],
  ["a project without files", [], "no test ran"],
  ["an error between tests", [file()], "the run ended with exit code 1"],
])("%s counts as failed", (_, files, failure) => {
  expect(counted(files)).toMatchObject({ failed: 1, failures: [failure] });
});

test("a run without a test is not green, whatever its exit code", () => {
  expect(counted([], 0)).toMatchObject({ passed: 0, failed: 1 });
});
