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
  ["3.6.1", "the newest release: the target is 3.6.1, newer than every known release"],
  ["10.0.0", "the newest release: the target is 10.0.0, newer than every known release"],
  [undefined, "the newest release: the target reports no version"],
  ["tomorrow's", "the newest release: the target's version \"tomorrow's\" is unknown"],
  ["", 'the newest release: the target\'s version "" is unknown'],
])("takes the newest profile for %s, with the reason", (version, reason) => {
  expect(profileOfVersion(version)).toEqual({ ledger: "canton-3.5", reason });
});

test("takes the oldest profile for a release before it", () => {
  expect(profileOfVersion("3.3.0")).toEqual({
    ledger: "canton-3.4.11",
    reason: "the nearest release: the target is 3.3.0, an unknown version",
  });
});
