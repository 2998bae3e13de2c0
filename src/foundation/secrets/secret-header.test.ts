import { expect, test } from "vitest";
import { secretsInHeaders } from "./secret-header.ts";
import { isSecretHeader } from "./secret-name.ts";

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
  "Signature",
  "Signature-Input",
  "X-Hub-Signature-256",
  "X-Passphrase",
  "X-Amz-Credential",
  "X-Session-Token",
])("takes %s for a secret", (name) => {
  expect(isSecretHeader(name)).toBe(true);
});

test.each(["Accept", "X-Token-Type", "Monkey", "Understudy-World", "Idempotency-Key", "Sec-WebSocket-Key"])(
  "shows %s",
  (name) => {
    expect(isSecretHeader(name)).toBe(false);
  },
);

test.each([
  ["Authorization", "Bearer 0123456789", ["0123456789"]],
  ["Authorization", "0123456789", ["0123456789"]],
  ["Authorization", "Negotiate 0123456789", ["0123456789"]],
  ["Authorization", "Negotiate", []],
  ["Authorization", "Bearer ", []],
  ["Cookie", "lastPath=/v2/users; theme-of-page=a; session=0123456789", ["0123456789"]],
  ["Set-Cookie", "long-name-of-it=0123456789; HttpOnly; SameSite=Strict; Path=/__understudy", ["0123456789"]],
  ["Sec-WebSocket-Protocol", "daml.ws.auth, jwt.token.0123456789", ["0123456789"]],
  ["X-Api-Key", "0123456789", ["0123456789"]],
  ["X-Api-Key", "short", []],
  ["Accept", "application/json", []],
])("%s: %s holds the secrets %j", (name, value, secrets) => {
  expect(secretsInHeaders([[name, value]]).map(({ text }) => text)).toEqual(secrets);
});
