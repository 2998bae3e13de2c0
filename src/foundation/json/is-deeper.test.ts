import { expect, test } from "vitest";
import { isDeeper } from "./is-deeper.ts";

test.each([
  ["a text", "a", 0, false],
  ["null in a list", [null, 1n], 1, false],
  ["a list in a list", [1, [2]], 1, true],
  ["an object in a list", [{ a: null }, 2], 2, false],
  ["a list in an object in a list", [{ a: null, b: [] }], 2, true],
] as const)("counts the objects and lists of %s", (_, value, levels, expected) => {
  expect(isDeeper(value, levels)).toBe(expected);
});
