import { expect, test } from "vitest";
import { operationsOf } from "./verdict-matrix.ts";

const entry = { operationId: "getV2Users", status: 200, rule: "status-documented", outcome: "PASS", count: 3 } as const;
const matrix = [
  entry,
  { ...entry, operationId: "deleteV2Idps", status: 404, count: 1 },
  { ...entry, status: 400, outcome: "KNOWN", count: 2 },
  { ...entry, outcome: "FAIL", count: 1 },
  { ...entry, rule: "body-schema", count: 4 },
] as const;

test("builds a row per rule and a column per status; the worst operation, rule and outcome come first", () => {
  const [first, second] = operationsOf(matrix, undefined);
  expect([first?.operationId, second?.operationId]).toEqual(["getV2Users", "deleteV2Idps"]);
  expect(first?.statuses).toEqual([200, 400]);
  const cells = first?.rows.map(({ rule, cells }) => [rule, cells.map((each) => each.map(({ outcome }) => outcome))]);
  expect(cells).toEqual([
    ["status-documented", [["FAIL", "PASS"], ["KNOWN"]]],
    ["body-schema", [["PASS"], []]],
  ]);
});

test("filters the matrix by outcome", () => {
  expect(operationsOf(matrix, "KNOWN").map(({ operationId, statuses }) => [operationId, statuses])).toEqual([
    ["getV2Users", [400]],
  ]);
  expect(operationsOf(matrix, "WARN")).toEqual([]);
});
