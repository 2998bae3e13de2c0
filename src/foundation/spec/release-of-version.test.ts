import { expect, test } from "vitest";
import { profileOfVersion } from "./release-of-version.ts";

test.each([
  ["3.5.10", "canton-3.5"],
  ["3.5.0", "canton-3.5"],
  ["3.5.99-SNAPSHOT", "canton-3.5"],
  ["3.5", "canton-3.5"],
  ["3.6.1", "canton-3.6"],
  ["3.4.12", "canton-3.4.12"],
  ["3.4.12-SNAPSHOT", "canton-3.4.12"],
  ["3.4.20", "canton-3.4.12"],
  ["3.4.11", "canton-3.4.11"],
  ["3.4.0", "canton-3.4.11"],
])("takes the profile of the release for %s", (version, profile) => {
  expect(profileOfVersion(version)).toEqual({ ledger: profile, reason: `the target is ${version}` });
});

test.each(["3.7.4", "10.0.0"])("takes the newest profile for the newer version %s", (version) => {
  const reason = `the newest release: the target is ${version}, newer than every known release`;
  expect(profileOfVersion(version)).toEqual({ ledger: "canton-3.6", reason });
});

test.each([
  [undefined, "the default: the target reports no version"],
  ["tomorrow's", "the default: the target's version \"tomorrow's\" is unknown"],
  ["", 'the default: the target\'s version "" is unknown'],
])("takes the default profile for %s, with the reason", (version, reason) => {
  expect(profileOfVersion(version)).toEqual({ ledger: "canton-3.5", reason });
});

test("takes the oldest profile for a release before it", () => {
  expect(profileOfVersion("3.3.0")).toEqual({
    ledger: "canton-3.4.11",
    reason: "the nearest release: the target is 3.3.0, an unknown version",
  });
});
