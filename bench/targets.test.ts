import { expect, test } from "vitest";
import type { CaseResult } from "./results.ts";
import { type Target, verdictsOn } from "./targets.ts";

function measured(values: Readonly<Record<string, number>>): CaseResult {
  const measurements = Object.entries(values).map(([subject, value]) => ({ subject, value, rounds: [value] }));
  return { name: "x", title: "x", about: "", unit: "ms", isHigherBetter: false, measurements, absences: [] };
}

const half: Target = { case: "x", subject: "a", against: "b", relation: "≥", limit: 0.5 };

test("a ratio meets its target up to the limit itself", () => {
  expect(verdictsOn([measured({ a: 5, b: 10 })], [half])).toEqual([{ target: half, found: 0.5, isMet: true }]);
  expect(verdictsOn([measured({ a: 4, b: 10 })], [half])).toEqual([{ target: half, found: 0.4, isMet: false }]);
});

test("what has to be small is held against its limit from above", () => {
  const target: Target = { case: "x", subject: "a", relation: "≤", limit: 20 };
  expect([20, 21].map((a) => verdictsOn([measured({ a })], [target])[0]?.isMet)).toEqual([true, false]);
});

test("a case that was not run has no verdict, and a missing value leaves it undecided", () => {
  expect(verdictsOn([], [half])).toEqual([]);
  expect(verdictsOn([measured({ a: 5 })], [half])).toEqual([{ target: half, found: undefined, isMet: undefined }]);
});

test("a rate has its ratio by processor time too, the more the better as well", () => {
  const measurements = [
    { subject: "a", value: 5, rounds: [5], cpuMicros: 100 },
    { subject: "b", value: 10, rounds: [10], cpuMicros: 80 },
  ];
  const rates: CaseResult = { ...measured({}), unit: "requests/s", isHigherBetter: true, measurements };
  expect(verdictsOn([rates], [half])).toEqual([{ target: half, found: 0.5, isMet: true, byProcessor: 0.8 }]);
});
