import { expect, test } from "vitest";
import { profileOfVersion } from "./profile-of-version.ts";

test.each([
  ["3.5.10", "canton-3.5"],
  ["3.5.0", "canton-3.5"],
  ["3.5.99-SNAPSHOT", "canton-3.5"],
  ["3.5", "canton-3.5"],
  ["3.4.12", "canton-3.4.12"],
  ["3.4.12-SNAPSHOT", "canton-3.4.12"],
  ["3.4.20", "canton-3.4.12"],
  ["3.4.11", "canton-3.4.11"],
  ["3.4.0", "canton-3.4.11"],
])("takes the profile of the release for %s", (version, profile) => {
  expect(profileOfVersion(version)).toEqual({ ledger: profile, reason: `the target is ${version}` });
});

test.each([
  ["3.6.1", "the newest: the target, 3.6.1, is newer than every release that is known"],
  ["10.0.0", "the newest: the target, 10.0.0, is newer than every release that is known"],
  [undefined, "the newest: the target does not tell its version"],
  ["tomorrow's", "the newest: the target's version \"tomorrow's\" is not known"],
  ["", 'the newest: the target\'s version "" is not known'],
])("takes the newest profile for %s, and says why", (version, reason) => {
  expect(profileOfVersion(version)).toEqual({ ledger: "canton-3.5", reason });
});

test("takes the oldest profile for a release before it", () => {
  expect(profileOfVersion("3.3.0")).toEqual({
    ledger: "canton-3.4.11",
    reason: "the nearest: the target is 3.3.0, which is not known",
  });
});
