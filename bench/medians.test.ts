import { expect, test } from "vitest";
import { median, percentile } from "./medians.ts";

test("the median of an odd number is the middle one, whatever the order", () => {
  expect(median([30, 1, 2])).toBe(2);
});

test("the median of an even number is the mean of the two in the middle", () => {
  expect(median([4, 1, 2, 30])).toBe(3);
});

test("the median of an empty list is NaN", () => {
  expect(median([])).toBeNaN();
});

test("a percentile is one of the numbers, by nearest rank", () => {
  const numbers = Array.from({ length: 200 }, (_, index) => 200 - index);
  expect([0, 0.5, 0.99, 1].map((share) => percentile(numbers, share))).toEqual([1, 100, 198, 200]);
  expect(percentile([7], 0.99)).toBe(7);
  expect(percentile([], 0.99)).toBeNaN();
});
