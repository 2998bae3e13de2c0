import { expect, test } from "vitest";
import { roleOf } from "./place.ts";

test.each([
  ["secretAccessKey", "secret"],
  ["privateKeyPem", "private"],
  ["pageTokenSecret", "secret"],
  ["sessions", "secret"],
  ["pageToken", "page"],
  ["signatures", "signature"],
  ["a.example/holder-credentials", "token"],
])("a member named %s has the role %s", (member, role) => {
  expect(roleOf(member)).toBe(role);
});
