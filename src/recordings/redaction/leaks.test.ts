import { expect, test } from "vitest";
import { redacted } from "../../../test/_redacted.ts";
import { createLeakGate } from "./leaks.ts";
import { createRedactor } from "./redactor.ts";

const unpadded = (text: string) => btoa(text).replace(/=+$/, "");
const jwt = `${unpadded('{"alg":"RS256","typ":"JWT"}')}.${unpadded('{"sub":"alice"}')}.c2lnbmF0dXJl`;
const pem = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA\n-----END PRIVATE KEY-----\n";
const secret = "sword fish+/é";
const gate = createLeakGate([secret, "another-one"]);

const percentEncoded = (text: string) => [...text].map((c) => `%${c.charCodeAt(0).toString(16)}`).join("");
const escapedInJson = (text: string) =>
  [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");

test.each([
  ["a JWT", jwt, "jwt", ""],
  ["a JWT in a text", `token=${jwt}&x`, "jwt", ""],
  ["a percent-encoded JWT", percentEncoded(jwt), "jwt", "percent-encoding"],
  ["a JWT behind a percent-encoded blank", `Bearer%20${jwt}`, "jwt", ""],
  ["base64 of a JWT", btoa(jwt), "jwt", "base64"],
  ["base64 of a JWT behind one character", btoa(`x${jwt}`), "jwt", "base64"],
  ["base64 of a JWT behind two characters, in a path", `/a/b/${btoa(`xy${jwt}`)}`, "jwt", "base64"],
  ["a JWT in JSON in a text", JSON.stringify({ a: [JSON.stringify({ b: jwt })] }), "jwt", ""],
  ["a JWT with escapes in JSON in a text", `{"a":"${escapedInJson(jwt)}"}`, "jwt", "JSON"],
  ["a JWT with escapes in a text that is not JSON", `x ${escapedInJson(jwt)}`, "jwt", "JSON"],
  ["a PEM block", `key: ${pem}`, "pem", ""],
  ["base64 of a PEM block", btoa(pem), "pem", "base64"],
  ["a percent-encoded PEM block", encodeURIComponent(pem), "pem", "percent-encoding"],
  ["a listed secret", `x${secret}y`, "secret", ""],
  ["base64 of a listed secret", btoa(`user:another-one`), "secret", "base64"],
  ["base64 of a listed secret in UTF-8", Buffer.from(`xx${secret}`).toString("base64url"), "secret", "base64"],
  ["a percent-encoded listed secret", encodeURIComponent(secret), "secret", "percent-encoding"],
  ["a listed secret in a form", encodeURIComponent(secret).replaceAll("%20", "+"), "secret", "percent-encoding"],
  ["an opaque bearer token in a text", "sent Bearer 8f2kd83jskd0", "bearer", ""],
])("finds %s, says where, and does not show it", (_what, text, kind, within) => {
  const leaks = gate(JSON.stringify({ log: { "a/b": ["x", { text }] } }));
  const found = leaks.find((leak) => leak.kind === kind);
  expect(found).toMatchObject({ pointer: "/log/a~1b/1/text" });
  expect(found?.within).toContain(within);
  expect(gate(text).map((leak) => leak.kind)).toContain(kind);
  expect(JSON.stringify(leaks)).not.toContain(text);
});

test.each(['ab"cdefg', "ab\\cdefg", "ab\ncdefg", "ab\r\ncdefg", "ab\u0001cdefg"])(
  "finds the listed secret %j however deep in JSON it is escaped",
  (odd) => {
    const find = createLeakGate([odd]);
    const kinds = (value: object) => find(JSON.stringify(value)).map(({ kind }) => kind);
    const inner = JSON.stringify({ b: odd });
    expect(kinds({ a: odd })).toContain("secret");
    expect(kinds({ a: inner })).toContain("secret");
    expect(kinds({ a: JSON.stringify({ c: inner }) })).toContain("secret");
    expect(kinds({ a: btoa(inner) })).toContain("secret");
    expect(kinds({ a: "abcdefg" })).toEqual([]);
  },
);

const header = (value: string) => JSON.stringify({ request: { headers: [{ name: "authorization", value }] } });

test("finds a bearer token of any form in the Authorization header", () => {
  expect(gate(header("Bearer abc"))).toEqual([{ kind: "bearer", pointer: "/request/headers/0/value", within: "" }]);
  expect(gate(header("bearer [redacted]"))).toEqual([]);
  expect(gate(header("Bearer token-12"))).toEqual([]);
});

test.each([
  "Bearer token required",
  'Bearer realm="x"',
  "Bearer token-1",
  "jwt.token.token-1",
  "eyJungle.book is no JWT",
  "monkeyJar.example.com",
  "100% sure, 50%2F50",
  "\\u0061 plain escape",
  btoa("bearer of good news"),
])("reports no leak in %s", (text) => {
  expect(gate(JSON.stringify({ text }))).toEqual([]);
});

test("reports no leak in names, blobs and hashes of any kind", () => {
  const redactor = createRedactor();
  const bytes = (seed: number) =>
    Uint8Array.from({ length: 900 }, (_, index) => (index * index * seed + index * 31) % 256);
  for (let seed = 1; seed < 200; seed += 1) {
    const createdEventBlob = Buffer.from(bytes(seed)).toString("base64");
    const body = JSON.stringify({
      createdEventBlob,
      multiHash: createdEventBlob,
      signature: createdEventBlob,
      x: `${seed}a`.repeat(40),
    });
    const out = redacted({ target: "/", headers: [["Authorization", `Bearer ${seed}`]], body }, redactor);
    expect(redactor.leaksIn(JSON.stringify(out))).toEqual([]);
  }
});

test("reports no form that opaque bytes have by chance, and redaction keeps the bytes", () => {
  const opaque = btoa(`\xffeyJ\xff\xfepassword\xff${"\x00\xfd".repeat(40)}\x01qi=7\xff\xfe://x@\xff dp=yz\xff`);
  const body = JSON.stringify({ note: opaque });
  expect(gate(body)).toEqual([]);
  expect(redacted({ body }).body).toBe(body);
});

test.each([0, 1, 2])("finds secrets anywhere in a long opaque run of base64, behind %d characters", (ahead) => {
  const opaque = (length: number) => "\xff\x00".repeat(length / 2);
  const withJwt = btoa(`${opaque(100_000)}${"\xfe".repeat(ahead)}\x01${jwt}\x00${opaque(50_000)}`);
  expect(gate(JSON.stringify({ note: withJwt }))).toMatchObject([{ kind: "jwt", within: "base64" }]);
  const withListed = btoa(`${opaque(100_000)}${"\xfe".repeat(ahead)}another-one${opaque(50_000)}`);
  expect(gate(JSON.stringify({ note: withListed }))).toMatchObject([{ kind: "secret", within: "base64" }]);
});

test.each(["password=hünter2-", "password=straßenbahn", "password=абвгдежз"])(
  "redaction and the gate read the same text in bytes of unknown format: %s",
  (text) => {
    const blob = Buffer.from([0xff, 0, ...Buffer.from(text), 0, 0xff]).toString("base64");
    const redactor = createRedactor();
    expect(createRedactor().leaksIn(JSON.stringify({ blob }))).not.toEqual([]);
    expect(redactor.leaksIn(redacted({ body: { blob } }, redactor).body)).toEqual([]);
  },
);

test("finds the same secrets in an entry as in its JSON, at the same places", () => {
  const body = JSON.stringify({ note: `a ${secret}`, token: "abc" });
  const entry = { request: { headers: [{ name: "Cookie", value: "a=b" }] }, response: { content: { text: body } } };
  expect(gate(entry).map(({ pointer }) => pointer)).toContain("/response/content/text");
  expect(gate(entry)).toEqual(gate(JSON.stringify(entry)));
});
