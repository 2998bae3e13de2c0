import { expect, test } from "vitest";
import { rangesOf } from "./json-ranges.ts";

test("does not split a short range", () => {
  expect(rangesOf({ from: 0, to: 100 })).toEqual([]);
  expect(rangesOf({ from: 300, to: 400 })).toEqual([]);
});

test("splits a long list into parts, with a shorter last part", () => {
  expect(rangesOf({ from: 0, to: 250 })).toEqual([
    { from: 0, to: 100 },
    { from: 100, to: 200 },
    { from: 200, to: 250 },
  ]);
});

test("splits a very long list into nested parts", () => {
  const parts = rangesOf({ from: 0, to: 25_000 });
  expect(parts).toEqual([
    { from: 0, to: 10_000 },
    { from: 10_000, to: 20_000 },
    { from: 20_000, to: 25_000 },
  ]);
  expect(rangesOf({ from: 20_000, to: 25_000 }).length).toBe(50);
});
