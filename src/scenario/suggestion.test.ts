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

test("lists what there is where no name is near", () => {
  expect(advise("x", ["user", "party"])).toBe("Known are: user, party.");
});
