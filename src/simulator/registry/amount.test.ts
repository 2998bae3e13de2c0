import { expect, test } from "vitest";
import { amountOf, unitsOf } from "./amount.ts";

test.each([
  ["0", 0n, "0.0000000000"],
  ["12", 120_000_000_000n, "12.0000000000"],
  ["0.0000000001", 1n, "0.0000000001"],
  ["9999999999999999999.9999999999", 99_999_999_999_999_999_999_999_999_999n, "9999999999999999999.9999999999"],
])("counts %s as %d units and writes %s", (text, units, written) => {
  expect([unitsOf(text), amountOf(units)]).toEqual([units, written]);
});

test.each(["", "-1", "1.", ".5", "1e3", "0.00000000001"])("refuses %j as an amount", (text) => {
  expect(unitsOf(text)).toBeUndefined();
});
