import { expect, test } from "vitest";
import { advise, suggestion } from "./suggestion.ts";

test.each([
  ["usr", "user"],
  ["us", "user"],
  ["USER", "user"],
  ["u", undefined],
  ["deactivateXYZr", "deactivateUser"],
  ["deactivVWXYZQ", undefined],
])("suggests for %j the name %s", (name, nearest) => {
  expect(suggestion(name, ["user", "deactivateUser"])).toBe(nearest);
});

test("lists the known names if none is near", () => {
  expect(advise("x", ["user", "party"])).toBe("Known are: user, party.");
});

test("does not compare names that are too long for a typing error", () => {
  expect(suggestion("a".repeat(200), [`${"a".repeat(199)}b`])).toBe(`${"a".repeat(199)}b`);
  expect(suggestion("a".repeat(201), [`${"a".repeat(200)}b`])).toBeUndefined();
});

test("lists the first of many names, and counts the others", () => {
  const names = Array.from({ length: 102 }, (_, index) => `name-${index}`);
  expect(advise("x", names)).toBe(`Known are: ${names.slice(0, 100).join(", ")} and 2 more.`);
});
