import { expect, test } from "vitest";
import { nextVersion } from "./next-version.ts";

test.each([
  ["0", "1"],
  ["999999999999999", "1000000000000000"],
  ["9007199254740993", "9007199254740994"],
  ["99999999999999999999", "100000000000000000000"],
])("the version after %s is %s", (version, next) => {
  expect(nextVersion(version)).toBe(next);
});
