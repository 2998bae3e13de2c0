import { expect, test } from "vitest";
import { firstOf, formatMistake, type Mistake, mistakesMax } from "./problem.ts";

const mistake = (problem: string): Mistake => ({ file: "f.yaml", line: 1, problem, advice: "Correct it" });

test("tells as many mistakes as its limit, and counts the others", () => {
  const numbers = (length: number) => Array.from({ length }, (_, index) => `m${index}`);
  const told = (length: number) => firstOf(numbers(length), mistake).map(({ problem }) => problem);
  expect(told(mistakesMax + 1)).toEqual(numbers(mistakesMax + 1));
  expect(told(mistakesMax + 2)).toEqual([...numbers(mistakesMax), "there are 2 more mistakes in the file"]);
});

test.each(["\u001b[31m", "\u009b", "\u202e", "\u2028", "\ufeff", "\ud800"])(
  "shows %j as a character that does nothing",
  (text) => {
    expect(formatMistake(mistake(`a${text}b`))).toMatch(/^f\.yaml:1: a\uFFFD(?:\[31m)?b\. Correct it$/u);
  },
);

test("shows the beginning of what is very long", () => {
  expect(formatMistake(mistake("x".repeat(2000)))).not.toContain("…");
  expect(formatMistake(mistake("x".repeat(1_000_000)))).toMatch(/^f\.yaml:1: x{2000}…\. Correct it$/);
});
