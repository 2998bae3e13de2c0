import { expect, test } from "vitest";
import { tableById, tableOf } from "./table.ts";

test("orders rows by the code units of their ids, and keeps the last row of an id", () => {
  const table = tableOf([
    ["a", 1],
    ["B", 2],
    ["é", 3],
    ["_", 4],
    ["a", 5],
  ]);
  expect([...table.entries()]).toEqual([
    ["B", 2],
    ["_", 4],
    ["a", 5],
    ["é", 3],
  ]);
});

test("makes the same table of rows that hold their ids", () => {
  const rows = ["a", "B", "é", "_", "a"].map((id, index) => ({ id, index }));
  const table = tableById(rows);
  expect([...table.entries()]).toEqual([...tableOf(rows.map((row) => [row.id, row] as const)).entries()]);
  expect([table.size, table.get("a"), tableById([]).size]).toEqual([4, { id: "a", index: 4 }, 0]);
});
