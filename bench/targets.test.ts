import { expect, test } from "vitest";
import type { Row, Subject } from "./rows.ts";
import { boundText, isMet, type Target, targets, verdictsOn } from "./targets.ts";

const row = (values: Readonly<Partial<Record<Subject, readonly number[]>>>): Row => {
  const names: readonly Subject[] = ["understudy", "before", "reference", "prism", "mockoon", "wiremock"];
  return {
    name: "users-rate",
    title: "users",
    unit: "requests/s",
    values: new Map(names.map((name) => [name, values[name] ?? []])),
  };
};

const verdictOn = (of: Row, target: Omit<Target, "row">) => {
  const [verdict] = verdictsOn([of], [{ row: "users-rate", ...target }]);
  if (verdict === undefined) throw new Error("the row was measured");
  return { found: verdict.found, before: verdict.before, isMet: isMet(verdict), bound: boundText(verdict) };
};

test("a target without others bounds the median", () => {
  const of = row({ understudy: [9, 1, 5], before: [8] });
  expect(verdictOn(of, { relation: "≤", limit: 5 })).toEqual({
    found: 5,
    before: 8,
    isMet: true,
    bound: "≤ 5 requests/s",
  });
  expect(verdictOn(of, { relation: "≥", limit: 6 }).isMet).toBe(false);
});

test("a target against peers compares with the fastest that was measured", () => {
  const of = row({ understudy: [100], prism: [50], mockoon: [20], wiremock: [] });
  expect(verdictOn(of, { relation: "≥", limit: 2, against: "any peer" })).toMatchObject({ found: 2, isMet: true });
  expect(verdictOn(of, { relation: "≥", limit: 2, against: "any peer with state" }).found).toBe(5);
  expect(verdictOn(of, { relation: "≤", limit: 2, against: "any peer" })).toMatchObject({ found: 5, isMet: false });
});

test("a target without a figure is not measured", () => {
  const found = verdictOn(row({ understudy: [100] }), { relation: "≤", limit: 2, against: "reference" });
  expect(found).toMatchObject({ found: Number.NaN, isMet: undefined, bound: "≤ 2 × reference" });
});

test("cases that were not run have no verdict", () => {
  expect(verdictsOn([])).toEqual([]);
  expect(new Set(targets.map(({ row: name, against }) => `${name} ${against}`)).size).toBe(targets.length);
});
