import fc from "fast-check";
import { expect, test } from "vitest";
import { createMask } from "./mask.ts";

test.each([
  ["a token", "a eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2ln b", "a [redacted] b"],
  ["a token without its end", '"eyJhbGciOiJub25lIn0.eyJzd…', '"[redacted]…'],
  ["a bearer", "Bearer abc.def", "Bearer [redacted]"],
  ["a signature", '{"signature":"abc","a":1}', '{"signature":"[redacted]","a":1}'],
  ["a signature without its end", '{"signature":"abc', '{"signature":"[redacted]'],
  ["a key", "-----BEGIN KEY-----\nabc\n-----END KEY-----", "[redacted]"],
  ["a key without its end", "-----BEGIN KEY-----\nabc", "[redacted]"],
  ["who asks, in a URL", "http://a:b@c/d", "http://[redacted]@c/d"],
  ["a token in a URL", "/a?x=1&access_token=b&y=2", "/a?x=1&access_token=[redacted]&y=2"],
  ["a token under its name", '{"access_token":"abc","a":1}', '{"access_token":"[redacted]","a":1}'],
  ["a password in JSON within a text", '"{\\"password\\":\\"abc\\"}"', '"{\\"password\\":\\"[redacted]\\"}"'],
  ["signatures in a list", '{"signatures":["abc","def"]}', '{"signatures":["[redacted]","[redacted]"]}'],
  ["a token in a form", "access_token=abc&x=1", "access_token=[redacted]&x=1"],
  ["a token in a form within JSON", '{"body":"token=abc&x=1"}', '{"body":"token=[redacted]&x=1"}'],
  ["a key under a name with a prefix", '{"example.com/api-key":"abc"}', '{"example.com/api-key":"[redacted]"}'],
  ["a key in a URL", "/a?k=-----BEGIN%20RSA%20KEY-----abc", "/a?k=[redacted]"],
  ["basic credentials", "Basic YWxpY2U6c2VjcmV0", "Basic [redacted]"],
  ["a given secret", "the word is xyzzy", "the word is [redacted]"],
])("masks %s", (_name, text, masked) => {
  expect(createMask(["xyzzy"])(text)).toBe(masked);
});

const part = "q-1_".repeat(20);

test.each([
  ["JSON", `{"kty":"RSA","dp":"${part}","qi":"${part}"}`, '{"kty":"RSA","dp":"[redacted]","qi":"[redacted]"}'],
  ["prose", `key {"kty":"RSA","dp":"${part}"}`, 'key {"kty":"RSA","dp":"[redacted]"}'],
  ["truncated JSON", `{"kty":"RSA","qi":"${part}`, '{"kty":"RSA","qi":"[redacted]'],
  ["a form", `kty=RSA&dq=${part}&e=AQAB`, "kty=RSA&dq=[redacted]&e=AQAB"],
])("masks the private parts of an RSA key in %s", (_name, text, masked) => {
  expect(createMask()(text)).toBe(masked);
});

test.each([
  '{"Qi= ":1,"dp=2":[],"dq: "":{}}',
  '{"dp":30,"qi":"a"}',
  "/v2/users?dp=30&qi=a",
  "http://h.example/x?password= ",
])("keeps names of key parts with short values, and assignments without a value: %s", (text) => {
  expect(createMask()(text)).toBe(text);
});

test.each(["Bearer $TOKEN", "/v2/users?pageToken=abc", "http://a/b?c=d@e", '{"signatures":[]}', "a@b"])(
  "keeps %s",
  (text) => {
    expect(createMask()(text)).toBe(text);
  },
);

test.each([
  ["a secret with a quote in it", '{"password":"pa\\"MARKTAIL"}', '{"password":"[redacted]"}'],
  ["a secret with a quote and a comma", '{"password":"x\\",TAIL","a":1}', '{"password":"[redacted]","a":1}'],
  ["a secret that ends in a backslash", '{"password":"abc\\\\"}', '{"password":"[redacted]"}'],
  ["a token in a URL before a backslash", '{"a":"?token=abc\\" b"}', '{"a":"?token=[redacted]\\" b"}'],
  ["a key without its end in JSON", '{"a":"-----BEGIN KEY-----\\nabc","b":1}', '{"a":"[redacted]","b":1}'],
  ["a name in escapes", '{"\\u0074oken":"abc"}', '{"\\u0074oken":"[redacted]"}'],
  ["a number", '{"token":12345,"tokens":3}', '{"token":"[redacted]","tokens":3}'],
  ["a list", '{"refreshTokens":["abc","def"],"a":["b"]}', '{"refreshTokens":["[redacted]","[redacted]"],"a":["b"]}'],
  [
    "the members of a secret object",
    '{"secret":{"a":["b",1]},"c":1}',
    '{"secret":{"a":["[redacted]","[redacted]"]},"c":1}',
  ],
  ["a secret that ends in pages", '{"pageTokenSecret":"abc"}', '{"pageTokenSecret":"[redacted]"}'],
  ["a secret in broken JSON", '{"password":"pa\\"TAIL","a":', '{"password":"[redacted]","a":'],
  ["a secret in JSON within prose", 'got {"password":"pa\\"TAIL"} here', 'got {"password":"[redacted]"} here'],
  [
    "a secret in JSON within JSON within prose",
    'got "{\\"password\\":\\"pa\\\\\\"TAIL\\",\\"a\\":1}"',
    'got "{\\"password\\":\\"[redacted]\\",\\"a\\":1}"',
  ],
  ["an encoded bearer in a URL", "/a?h=Bearer%20abc&x=1", "/a?h=Bearer%20[redacted]&x=1"],
  ["a bearer in a form", "/a?h=Bearer+abc&x=1", "/a?h=Bearer+[redacted]&x=1"],
  ["a parameter whose name is encoded", "/a?%74oken=abc&x=1", "/a?%74oken=[redacted]&x=1"],
  ["a token with a quote in a target", "/a?token=ab'cd&x=1", "/a?token=[redacted]&x=1"],
  ["a given secret, encoded", "/a/xyz%7Ay/b", "/a/[redacted]/b"],
  ["a given secret as a number", '{"a":12345678}', '{"a":"[redacted]"}'],
  [
    "basic credentials that are not base64, after their header",
    "Authorization: Basic not.base64!",
    "Authorization: Basic [redacted]",
  ],
])("masks %s to its end, and JSON stays JSON", (_name, text, shown) => {
  expect(createMask(["xyzzy", "12345678"])(text)).toBe(shown);
});

test.each([
  "missing bearer token in header",
  "Bearer authentication is needed",
  "a bearer token.",
  "basic operations",
  "Basic authentication failed",
  "/v2/users?pageToken=a%2Bb%2F&x=a+b",
  '{"pageToken":"abc","nextPageToken":"def"}',
])("shows %s as it is", (text) => {
  expect(createMask()(text)).toBe(text);
});

test("valid JSON stays valid, and has no marked secret", () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'a"',
      "\\",
      "Bearer abc\\",
      '?token=abc"',
      "-----BEGIN KEY-----",
      '{"password":"a\\"b"}',
      "a:b@://",
      "%22",
      "MARKED-1",
    ),
  );
  const name = fc.oneof(fc.string(), fc.constantFrom("password", "tokens", "signatures", "secret", "session", "a"));
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      text.map((each) => JSON.stringify({ note: each, password: each })),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(name, tie("value"), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  const mask = createMask(["MARKED-1", "a\\"]);
  fc.assert(
    fc.property(value, fc.constantFrom(0, 2), (drawn, indent) => {
      const shown = mask(JSON.stringify(drawn, undefined, indent));
      expect(() => JSON.parse(shown)).not.toThrow();
      expect(JSON.stringify(JSON.parse(shown))).not.toContain("MARKED-1");
    }),
    { numRuns: 500 },
  );
});

test("a text too long for so many secrets is masked as a whole, and JSON stays JSON", () => {
  const mask = createMask(Array.from({ length: 1400 }, (_, number) => `secret-${number}`));
  const long = JSON.stringify({ a: "b".repeat(1_000_000) });
  expect([mask(long), mask("b".repeat(1_000_000)), mask('{"a":"secret-7"}')]).toEqual([
    '"[redacted]"',
    "[redacted]",
    '{"a":"[redacted]"}',
  ]);
});
