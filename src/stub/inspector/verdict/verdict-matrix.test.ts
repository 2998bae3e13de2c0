import { expect, test } from "vitest";
import { brokenIn, brokenKey, countsOf, operationsOf } from "./verdict-matrix.ts";

const entry = { operationId: "getV2Users", status: 200, rule: "status-documented", outcome: "PASS", count: 3 } as const;
const matrix = [
  entry,
  { ...entry, operationId: "deleteV2Idps", status: 404, count: 1 },
  { ...entry, status: 400, outcome: "KNOWN", count: 2 },
  { ...entry, outcome: "FAIL", count: 1 },
  { ...entry, rule: "body-schema", count: 4 },
] as const;

test("builds a row per rule and a column per status, with the worst outcome first", () => {
  const [first, second] = operationsOf(matrix, undefined);
  expect([first?.operationId, second?.operationId]).toEqual(["deleteV2Idps", "getV2Users"]);
  expect(second?.statuses).toEqual([200, 400]);
  const cells = second?.rows.map(({ rule, cells }) => [rule, cells.map((each) => each.map(({ outcome }) => outcome))]);
  expect(cells).toEqual([
    ["body-schema", [["PASS"], []]],
    ["status-documented", [["FAIL", "PASS"], ["KNOWN"]]],
  ]);
});

test("filters the matrix by outcome", () => {
  expect(operationsOf(matrix, "KNOWN").map(({ operationId, statuses }) => [operationId, statuses])).toEqual([
    ["getV2Users", [400]],
  ]);
  expect(operationsOf(matrix, "WARN")).toEqual([]);
  expect(countsOf(matrix)).toEqual({ FAIL: 1, WARN: 0, KNOWN: 2, PASS: 8 });
});

test("finds the newest exchange that broke a rule", () => {
  const line = { virtualAt: "", startedAt: "", durationMs: 0, method: "GET", target: "/", broken: null, changes: 0 };
  const given = { ...line, operationId: "getV2Users", status: 200, outcome: "FAIL", unexpected: null } as const;
  const schema = { rule: "body-schema", outcome: "FAIL" } as const;
  const found = brokenIn([
    { ...given, clientRules: [], number: 1, rules: [schema] },
    { ...given, clientRules: [], number: 2, rules: [schema, { rule: "status-documented", outcome: "FAIL" }] },
    { ...given, clientRules: [], number: 3, rules: [], outcome: "PASS" },
  ]);
  expect(found.get(brokenKey({ operationId: "getV2Users", status: 200, rule: "body-schema" }))).toBe(2);
  expect(found.get(brokenKey({ operationId: "getV2Users", status: 400, rule: "body-schema" }))).toBeUndefined();
});
