import { expect, test } from "vitest";
import { parseJson } from "../../../foundation/json/json.ts";
import { jsonDifferences } from "./json-diff.ts";

const between = (left: string, right: string, max = 100) => jsonDifferences(parseJson(left), parseJson(right), max);

test("reports added, removed and changed members with their pointers", () => {
  expect(between('{"a":1,"b":{"c":"x","d":null}}', '{"b":{"c":"y","d":null},"e":[]}')).toEqual([
    { type: "removed", pointer: "/a", left: 1 },
    { type: "changed", pointer: "/b/c", left: "x", right: "y" },
    { type: "added", pointer: "/e", right: [] },
  ]);
});

test("ignores the order of members", () => {
  expect(between('{"a":1,"b":2}', '{"b":2,"a":1}')).toEqual([]);
});

test.each([
  ["at the beginning", '["b","c"]', '["a","b","c"]', [{ type: "added", pointer: "/0", right: "a" }]],
  ["in the middle", '["a","b","c"]', '["a","c"]', [{ type: "removed", pointer: "/1", left: "b" }]],
  ["at the end", '["a"]', '["a","a"]', [{ type: "added", pointer: "/1", right: "a" }]],
])("reports one added or removed element %s as one difference", (_where, left, right, differences) => {
  expect(between(left, right)).toEqual(differences);
});

test("escapes special characters in pointers, and treats __proto__ as data", () => {
  expect(between('{"a/b":{"~":1},"__proto__":1}', '{"a/b":{"~":2}}')).toEqual([
    { type: "changed", pointer: "/a~1b/~0", left: 1, right: 2 },
    { type: "removed", pointer: "/__proto__", left: 1 },
  ]);
});

test("distinguishes integers that are equal as doubles", () => {
  expect(between("9007199254740993", "9007199254740992")).toEqual([
    { type: "changed", pointer: "", left: 9007199254740993n, right: 9007199254740992n },
  ]);
});

test("distinguishes a list from an object, and null from a missing member", () => {
  expect(between('{"a":["x"],"b":null}', '{"a":{"0":"x"}}')).toEqual([
    { type: "changed", pointer: "/a", left: ["x"], right: { "0": "x" } },
    { type: "removed", pointer: "/b", left: null },
  ]);
});

test("stops at the maximum number of differences", () => {
  expect(between("[1,2,3,4]", "[5,6,7,8]", 2).map(({ pointer }) => pointer)).toEqual(["/0", "/1"]);
});

test("reports a missing body as added or removed", () => {
  expect(jsonDifferences(undefined, {}, 10)).toEqual([{ type: "added", pointer: "", right: {} }]);
  expect(jsonDifferences([], undefined, 10)).toEqual([{ type: "removed", pointer: "", left: [] }]);
  expect(jsonDifferences(undefined, undefined, 10)).toEqual([]);
});
