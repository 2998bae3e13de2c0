import { expect, test } from "vitest";
import { createMask } from "./mask.ts";

test.each([
  ["a token", "a eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2ln b", "a (left out) b"],
  ["a token without its end", '"eyJhbGciOiJub25lIn0.eyJzd…', '"(left out)…'],
  ["a bearer", "Bearer abc.def", "Bearer (left out)"],
  ["a signature", '{"signature":"abc","a":1}', '{"signature":"(left out)","a":1}'],
  ["a signature without its end", '{"signature":"abc', '{"signature":"(left out)'],
  ["a key", "-----BEGIN KEY-----\nabc\n-----END KEY-----", "(left out)"],
  ["a key without its end", "-----BEGIN KEY-----\nabc", "(left out)"],
  ["who asks, in a URL", "http://a:b@c/d", "http://(left out)@c/d"],
  ["a token in a URL", "/a?x=1&access_token=b&y=2", "/a?x=1&access_token=(left out)&y=2"],
  ["a token under its name", '{"access_token":"abc","a":1}', '{"access_token":"(left out)","a":1}'],
  ["a password in JSON within a text", '"{\\"password\\":\\"abc\\"}"', '"{\\"password\\":\\"(left out)\\"}"'],
  ["signatures in a list", '{"signatures":["abc","def"]}', '{"signatures":["(left out)"]}'],
  ["a token in a form", "access_token=abc&x=1", "access_token=(left out)&x=1"],
  ["a token in a form within JSON", '{"body":"token=abc&x=1"}', '{"body":"token=(left out)&x=1"}'],
  ["a key under a name with a prefix", '{"example.com/api-key":"abc"}', '{"example.com/api-key":"(left out)"}'],
  ["a key in a URL", "/a?k=-----BEGIN%20RSA%20KEY-----abc", "/a?k=(left out)"],
  ["basic credentials", "Basic YWxpY2U6c2VjcmV0", "Basic (left out)"],
  ["a secret that it is told", "the word is xyzzy", "the word is (left out)"],
])("leaves out %s", (_name, text, masked) => {
  expect(createMask(["xyzzy"])(text)).toBe(masked);
});

test.each(["Bearer $TOKEN", "/v2/users?pageToken=abc", "http://a/b?c=d@e", '{"signatures":[]}', "a@b"])(
  "leaves %s as it is",
  (text) => {
    expect(createMask()(text)).toBe(text);
  },
);
