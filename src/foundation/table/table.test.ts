import { expect, test } from "vitest";
import { tableOf } from "./table.ts";

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
