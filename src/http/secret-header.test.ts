import { expect, test } from "vitest";
import { isSecretHeader } from "./secret-header.ts";

test.each([
  "Authorization",
  "X-Forwarded-Authorization",
  "COOKIE",
  "set-cookie",
  "X-Api-Key",
  "apikey",
  "X-Auth-Token",
  "client-secret",
  "Key",
])("takes %s for a secret", (name) => {
  expect(isSecretHeader(name)).toBe(true);
});

test.each(["Accept", "X-Token-Type", "Monkey", "Understudy-World"])("shows %s", (name) => {
  expect(isSecretHeader(name)).toBe(false);
});
