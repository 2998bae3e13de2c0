import { expect, test } from "vitest";
import { stepsFrom } from "./points-in-time.ts";

const changing = [2, 5, 9];

test("steps go from change to change", () => {
  expect(stepsFrom(5, changing)).toEqual({ first: 2, previous: 2, next: 9, last: 9 });
  expect(stepsFrom(7, changing)).toEqual({ first: 2, previous: 5, next: 9, last: 9 });
});

test("the start precedes the first change, and now follows the last", () => {
  expect(stepsFrom(2, changing)).toEqual({ first: undefined, previous: "start", next: 5, last: 9 });
  expect(stepsFrom(9, changing)).toEqual({ first: 2, previous: 5, next: "now", last: undefined });
  expect(stepsFrom("start", changing)).toEqual({ first: 2, previous: undefined, next: 2, last: 9 });
  expect(stepsFrom("now", changing)).toEqual({ first: 2, previous: 9, next: undefined, last: 9 });
});

test("without changes, steps lead between start and now", () => {
  expect(stepsFrom("now", [])).toEqual({ first: undefined, previous: "start", next: undefined, last: undefined });
  expect(stepsFrom("start", [])).toEqual({ first: undefined, previous: undefined, next: "now", last: undefined });
});
