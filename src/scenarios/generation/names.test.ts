import { expect, test } from "vitest";
import { isIdentifier } from "../../foundation/spec/identifiers.ts";
import { applicationNames, namespaced, organisationNames, packageNames, personNames } from "./names.ts";

test.each([
  ["people", personNames, /^[a-z]+\.[a-z]+(?:-\d+)?$/],
  ["applications", applicationNames, /^[a-z]+-[a-z]+(?:-\d+)?$/],
  ["organisations", organisationNames, /^[a-z]+-[a-z]+-[a-z]+(?:-\d+)?$/],
])("names of %s are readable, have the syntax of a user id, and never come twice", (_, namesOf, form) => {
  const names = namesOf(3);
  const all = Array.from({ length: 30_000 }, (_, index) => names(index));
  expect(new Set(all).size).toBe(30_000);
  expect(all.filter((name) => !form.test(name) || !isIdentifier("userId", name))).toEqual([]);
});

test("another seed gives the names in another order, the same seed in the same", () => {
  const first = (seed: number) => Array.from({ length: 20 }, (_, index) => personNames(seed)(index));
  expect(first(1)).toEqual(first(1));
  expect(first(1)).not.toEqual(first(2));
});

test("parties and packages have real syntax", () => {
  expect(isIdentifier("partyId", namespaced(1, organisationNames(1)(0)))).toBe(true);
  expect(isIdentifier("packageName", packageNames(1)(500))).toBe(true);
  expect(namespaced(1, "a")).not.toBe(namespaced(2, "a"));
});
