import { expect, test } from "vitest";
import { redacted } from "../../../test/_redacted.ts";
import { base64OfBytes } from "../../foundation/text/base64.ts";

const jwt = `${btoa('{"alg":"HS256"}').replace(/=+$/, "")}.${btoa('{"sub":"alice"}').replace(/=+$/, "")}.c2lnbmF0dXJl`;

test("redacts tokens, cookies and passwords, with one name for each", () => {
  const { headers, body, target } = redacted({
    target: `/v2/idps?access_token=${jwt}&code=abc`,
    headers: [
      ["Authorization", `Bearer ${jwt}`],
      ["authorization", "Basic dXNlcjpwYXNz"],
      ["Cookie", "session=s3cr3t; theme=dark"],
      ["Set-Cookie", "session=s3cr3t; Path=/; HttpOnly"],
      ["X-Api-Key", "k-1"],
      ["Sec-WebSocket-Protocol", `jwt.token.${jwt}, daml.ws.auth, b64.c2VjcmV0IHNlY3JldA`],
    ],
    body: JSON.stringify({
      id_token: jwt,
      nested: JSON.stringify({ note: `the token is ${jwt}` }),
      password: "hunter2",
    }),
  });
  expect(target).toBe("/v2/idps?access_token=token-1&code=secret-1");
  expect(Object.fromEntries(headers)).toEqual({
    Authorization: "Bearer token-1",
    authorization: "Basic credentials-1",
    Cookie: "session=cookie-1; theme=cookie-2",
    "Set-Cookie": "session=cookie-1; Path=/; HttpOnly",
    "X-Api-Key": "secret-2",
    "Sec-WebSocket-Protocol": "jwt.token.token-1, daml.ws.auth, token-2",
  });
  expect(JSON.parse(body)).toEqual({
    id_token: "token-1",
    nested: JSON.stringify({ note: "the token is token-1" }),
    password: "secret-3",
  });
});

test.each(["Bearer", "Bearer ", "", "Basic"])("an Authorization of %j without a token stays", (value) => {
  expect(redacted({ headers: [["Authorization", value]] }).headers).toEqual([["Authorization", value]]);
});

test("replaces signatures by ones of the same form and length, and redacts private keys", () => {
  const signature = base64OfBytes(new Uint8Array(64).fill(7));
  const other = base64OfBytes(new Uint8Array(64).fill(8));
  const key = "-----BEGIN PRIVATE KEY-----\nMC4CAQAw\n-----END PRIVATE KEY-----";
  const body = {
    signatures: [{ signature }, { signature }, { signature: other }],
    privateKey: { d: "abc" },
    note: `key ${key} end`,
  };
  const read = JSON.parse(redacted({ body: JSON.stringify(body) }).body);
  const [first, second, third] = read.signatures.map(({ signature: made }: { signature: string }) => made);
  expect(first).toMatch(/^[A-Za-z0-9+/]{86}==$/);
  expect(first).not.toBe(signature);
  expect([second === first, third === first, read.privateKey.d]).toEqual([true, false, "[redacted]"]);
  expect(read.note).toBe("key [redacted] end");
});

test("replaces a short signature by zeros, and keeps an invalid one invalid", () => {
  const read = JSON.parse(
    redacted({ body: JSON.stringify({ a: { signature: "c2ln" }, b: { signature: "%-x1" } }) }).body,
  );
  expect(read).toEqual({ a: { signature: "AAAA" }, b: { signature: "%-AA" } });
});

test("redacts the private part of a key in JSON", () => {
  const jwk = { kty: "OKP", x: "y".repeat(43), d: "x".repeat(43) };
  expect(JSON.parse(redacted({ body: JSON.stringify({ jwk }) }).body).jwk).toEqual({ ...jwk, d: "[redacted]" });
});

test("redacts passwords in texts and URLs", () => {
  const body = JSON.stringify({ note: "sent Basic dXNlcjpwYXNz to https://user:pass@host/x?client_secret=abcd1" });
  const { target, body: out } = redacted({ target: "https://user:pass@host/v2/idps", body });
  expect(target).toBe("https://secret-1@host/v2/idps");
  expect(JSON.parse(out).note).toMatch(
    /^sent Basic credentials-\d to https:\/\/secret-1@host\/x\?client_secret=secret-\d$/,
  );
});

test("a listed secret is redacted in every encoding that is decoded", () => {
  const body = JSON.stringify({ a: "xx swordfish yy", b: btoa("the swordfish itself"), c: "sword\u0066ish" });
  const { target, body: out } = redacted({ target: "/v2/idps?x=swor%64fish", body }, { secrets: ["swordfish"] });
  expect(target).toBe("/v2/idps?x=secret-1");
  expect(JSON.parse(out)).toEqual({ a: "xx secret-1 yy", b: btoa("the secret-1 itself"), c: "secret-1" });
});

test.each([
  ['{"password":12345678}', '{"password":"secret-1"}'],
  ['{"password":[1234,"1234"]}', '{"password":["secret-1","secret-1"]}'],
  ['{"access_token":12345678}', '{"access_token":"token-1"}'],
  [
    '{"privateKey":{"bytes":[1,2],"of":{"x":"y"}}}',
    '{"privateKey":{"bytes":["[redacted]","[redacted]"],"of":{"x":"[redacted]"}}}',
  ],
  ['{"secret":{"value":"hunter22"}}', '{"secret":{"value":"secret-1"}}'],
  ['{"credential":{"key":"hunter22"}}', '{"credential":{"key":"secret-1"}}'],
  [
    '{"secret":{"a":[{"b":{"message":"hunter22"}}]},"c":"hunter"}',
    '{"secret":{"a":[{"b":{"message":"secret-1"}}]},"c":"hunter"}',
  ],
  ['{"secret":{"pin":1234,"is":true},"offset2":5}', '{"secret":{"pin":"secret-1","is":true},"offset2":5}'],
  ['{"session":{"userId":"bob"},"tokens":3}', '{"session":{"userId":"bob"},"tokens":3}'],
])("redacts the secret of %s in any form and at any depth", (body, expected) => {
  expect(redacted({ body }).body).toBe(expected);
  expect(redacted({ body: expected }).body).toBe(expected);
});

test("an id within a secret keeps its name", () => {
  const alice = `alice::1220${"a".repeat(64)}`;
  const { body } = redacted({ body: JSON.stringify({ party: alice, session: { of: alice } }) });
  const { party, session } = JSON.parse(body);
  expect(party).toMatch(/^party-1::1220/);
  expect(session.of).toBe(party);
});

test.each(["X-Forwarded-Authorization", "x-authorization"])(
  "redacts credentials of %s as those of Authorization",
  (name) => {
    const headers = [[name, "Bearer any"] as const];
    expect(redacted({ headers }).headers).toEqual([[name, "Bearer token-1"]]);
  },
);

test.each(["Bearer any", "Bearer%20any"])("redacts the token of %j in the place of a target", (target) => {
  expect(redacted({ target }).target).toContain("token-1");
});

test("redacts a token in the place of a host", () => {
  expect(redacted({ target: `http://localhost${jwt}` }).target).not.toContain(jwt);
  expect(redacted({ target: jwt }).target).not.toContain(jwt);
});

test("redacts a token that a sentence names", () => {
  expect(redacted({ body: "An error: token: abcd1234" }).body).toBe("An error: token: secret-1");
});

test("redacts a token in a header that normally has none", () => {
  const headers = [["Content-Type", "Bearer any"]] as const;
  expect(redacted({ headers }).headers).toEqual([["Content-Type", "Bearer token-1"]]);
});
