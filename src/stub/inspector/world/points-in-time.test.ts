import { expect, test } from "vitest";
import { stepsFrom } from "./points-in-time.ts";

const changing = [2, 5, 9];

test("steps lead from change to change, whatever lies between", () => {
  expect(stepsFrom(5, changing)).toEqual({ first: 2, previous: 2, next: 9, last: 9 });
  expect(stepsFrom(7, changing)).toEqual({ first: 2, previous: 5, next: 9, last: 9 });
});

test("before the first change is the start, after the last one is now", () => {
  expect(stepsFrom(2, changing)).toEqual({ first: undefined, previous: "start", next: 5, last: 9 });
  expect(stepsFrom(9, changing)).toEqual({ first: 2, previous: 5, next: "now", last: undefined });
  expect(stepsFrom("start", changing)).toEqual({ first: 2, previous: undefined, next: 2, last: 9 });
  expect(stepsFrom("now", changing)).toEqual({ first: 2, previous: 9, next: undefined, last: 9 });
});

test("where nothing has changed there are the start and now", () => {
  expect(stepsFrom("now", [])).toEqual({ first: undefined, previous: "start", next: undefined, last: undefined });
  expect(stepsFrom("start", [])).toEqual({ first: undefined, previous: undefined, next: "now", last: undefined });
});
