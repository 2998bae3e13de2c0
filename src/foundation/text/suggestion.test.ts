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

test("suggests the names that continue the name after a dot or a slash", () => {
  expect(advise("canton-3.4", ["canton-3.4.11", "canton-3.4.12", "canton-3.5"])).toBe(
    'Did you mean "canton-3.4.11" or "canton-3.4.12"?',
  );
  expect(suggestion("traffic", ["traffics", "traffic.har"])).toBe("traffic.har");
  expect(suggestion("clock", ["clock/advance"])).toBe("clock/advance");
});

test("lists the known names if none is near", () => {
  expect(advise("x", ["user"])).toBe("Use user.");
  expect(advise("x", ["user", "party"])).toBe("Use user or party.");
});

test("does not compare names that are too long for a typing error", () => {
  expect(suggestion("a".repeat(200), [`${"a".repeat(199)}b`])).toBe(`${"a".repeat(199)}b`);
  expect(suggestion("a".repeat(201), [`${"a".repeat(200)}b`])).toBeUndefined();
});

test("lists ten names completely, and of more only the nearest three and where the list is", () => {
  const names = Array.from({ length: 11 }, (_, index) => `name-${index}-${"x".repeat(index)}`);
  expect(advise("y", names.slice(0, 10))).toBe(`Use ${names.slice(0, 9).join(", ")} or ${names[9]}.`);
  expect(advise("y", names.toReversed(), "docs/names.md lists all.")).toBe(
    `The nearest of 11: ${names.slice(0, 3).join(", ")}. docs/names.md lists all.`,
  );
  expect(advise("y".repeat(201), names)).toBe(`The nearest of 11: ${names.slice(0, 3).join(", ")}.`);
});
