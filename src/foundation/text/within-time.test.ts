import { expect, test } from "vitest";
import { withinTime } from "./within-time.ts";

test("gives the value of a function", () => {
  expect(withinTime(() => "value")).toEqual({ value: "value" });
});

test.each([
  ["a pattern", () => /^(a+)+$/.test(`${"a".repeat(60)}b`)],
  [
    "a loop",
    () => {
      for (;;);
    },
  ],
])("stops %s that does not end", (_, run: () => unknown) => {
  expect(withinTime(run)).toBe("timed-out");
});

test("throws what the function throws", () => {
  const fault = new RangeError("too deep");
  const run = () => {
    throw fault;
  };
  expect(() => withinTime(run)).toThrow(fault);
});

test("runs one function inside another", () => {
  expect(withinTime(() => withinTime(() => 1))).toEqual({ value: { value: 1 } });
});
