import { expect, test } from "vitest";
import { firstOf, formatProblem, type Problem, problemsMax } from "./problem.ts";

const found = (problem: string): Problem => ({ file: "f.yaml", line: 1, column: 2, problem, advice: "Correct it" });

test("lists problems up to the limit, and counts the others", () => {
  const numbers = (length: number) => Array.from({ length }, (_, index) => `m${index}`);
  const reported = (length: number) => firstOf(numbers(length), found).map(({ problem }) => problem);
  expect(reported(problemsMax + 1)).toEqual(numbers(problemsMax + 1));
  expect(reported(problemsMax + 2)).toEqual([...numbers(problemsMax), "2 more problems in the file"]);
});

test.each(["\u001b[31m", "\u009b", "\u202e", "\u2028", "\ufeff", "\ud800"])(
  "replaces the control character %j",
  (text) => {
    expect(formatProblem(found(`a${text}b`))).toMatch(/^f\.yaml:1:2: a\uFFFD(?:\[31m)?b\. Correct it$/u);
  },
);

test("cuts very long texts", () => {
  expect(formatProblem(found("x".repeat(2000)))).not.toContain("…");
  expect(formatProblem(found("x".repeat(1_000_000)))).toMatch(/^f\.yaml:1:2: x{2000}…\. Correct it$/);
});
