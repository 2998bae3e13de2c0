import { expect, test } from "vitest";
import { exceededBound, type JsonBounds } from "./json-bounds.ts";

const bounds: JsonBounds = { nestingMax: 100, jsonValuesMax: 10_000, numberLengthMax: 40 };

test("finds a number that is too long wherever it begins", () => {
  for (let before = 0; before < 100; before += 1) {
    const listOf = (digits: number) => `["${"a".repeat(before)}",${"1".repeat(digits)},"${"b".repeat(100)}"]`;
    expect([exceededBound(listOf(40), bounds), exceededBound(listOf(41), bounds)]).toEqual([
      undefined,
      "numberLengthMax",
    ]);
  }
});

test("many digits in a string are no number", () => {
  expect(exceededBound(`["${"1".repeat(1000)}",1]`, bounds)).toBeUndefined();
});

test("counts values in a text without long numbers", () => {
  const listOf = (values: number) => `[${Array(values).fill("{}").join()}]`;
  expect([exceededBound(listOf(10_000), bounds), exceededBound(listOf(10_001), bounds)]).toEqual([
    undefined,
    "jsonValuesMax",
  ]);
});
