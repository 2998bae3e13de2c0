import { expect, test } from "vitest";
import { isSecretName, isSecretNumber, secretRoleOf } from "./secret-name.ts";

test.each([
  ["access_token", "token"],
  ["pageTokenSecret", "secret"],
  ["refreshTokens", "token"],
  ["sessionId", "secret"],
  ["session_id", "secret"],
  ["passphrase", "secret"],
  ["secretKey", "secret"],
  ["secretAccessKey", "secret"],
  ["a.example/api-key", "secret"],
  ["credential", "secret"],
  ["a.example/holder-credentials", "token"],
  ["mnemonic", "private"],
  ["privateKeyPem", "private"],
  ["partySignatures", "signature"],
])("takes %s for the name of a %s", (name, role) => {
  expect(secretRoleOf(name)).toBe(role);
});

test.each(["pageToken", "nextPageToken", "streamContinuationToken", "tokenType", "author", "design", "keyData"])(
  "shows what is called %s",
  (name) => {
    expect(isSecretName(name)).toBe(false);
  },
);

test("a number of tokens is no secret, and a token that is a number is one", () => {
  expect([isSecretNumber("tokens"), isSecretNumber("token")]).toEqual([false, true]);
});
