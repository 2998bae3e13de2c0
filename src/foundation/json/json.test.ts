import { expect, test } from "vitest";
import { formatJson, jsonOfInteger, nestingMax, parseJson, textOfJson } from "./json.ts";

const nested = (levels: number, inner = "") => `${"[".repeat(levels)}${inner}${"]".repeat(levels)}`;

test.each([
  ["a", "a"],
  [["a", 1, { b: null }], 'a,1,{"b":null}'],
  [{ toString: 1, valueOf: 2 }, '{"toString":1,"valueOf":2}'],
  [12345678901234567890n, "12345678901234567890"],
  [null, "null"],
])("formats %o as text", (value, text) => {
  expect(textOfJson(value)).toBe(text);
});

test("reads as many levels as its limit, and refuses one more", () => {
  expect(formatJson(parseJson(nested(nestingMax)))).toBe(nested(nestingMax));
  expect(() => parseJson(nested(nestingMax + 1))).toThrow(SyntaxError);
});

test.each([
  ["in a text", `["${"[".repeat(nestingMax + 1)}"]`],
  ["in a text after an escaped quote", `["\\"${"[".repeat(nestingMax + 1)}"]`],
  ["of consecutive values", `[${Array(nestingMax).fill("[{}]").join(",")}]`],
])("the nesting limit ignores brackets %s", (_name, text) => {
  expect(formatJson(parseJson(text))).toBe(text);
});

test.each(["9007199254740991", "9007199254740993", "-9007199254740993", "[1,12345678901234567890]", '{"a":1.5}'])(
  "writes %s as it read it",
  (text) => {
    expect(formatJson(parseJson(text))).toBe(text);
  },
);

test("an integer is a number if a double holds it exactly", () => {
  expect([0n, -5n, 2n ** 53n - 1n].map(jsonOfInteger)).toEqual([0, -5, Number.MAX_SAFE_INTEGER]);
  expect([2n ** 53n, -(2n ** 63n)].map(jsonOfInteger)).toEqual([2n ** 53n, -(2n ** 63n)]);
});
