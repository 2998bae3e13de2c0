import { expect, test } from "vitest";
import { plainMask } from "../../src/foundation/secrets/mask.ts";
import { createRedactor } from "../../src/recordings/redaction/redactor.ts";
import { exchangeOf } from "../_exchange.ts";

const hostile: Readonly<Record<string, (length: number) => string>> = {
  "an open key": (length) => "-----BEGIN KEY-----".repeat(length / 19),
  "half a key": (length) => `-----BEGIN ${"A".repeat(length)}`,
  "beginnings of tokens": (length) => "eyJ".repeat(length / 3),
  "words of a token": (length) => "eyJhbGciOiJub25lIn0.".repeat(length / 20),
  "schemes without a token": (length) => "Bearer ".repeat(length / 7),
  blanks: (length) => `Basic${" ".repeat(length)}password${" ".repeat(length)}`,
  "names without a value": (length) => "password ".repeat(length / 9),
  "names with an open quote": (length) => 'password="'.repeat(length / 10),
  "one long name": (length) => "password".repeat(length / 8),
  "open elements": (length) => "<password>".repeat(length / 10),
  "half an element": (length) => `</a><password ${"a ".repeat(length / 2)}`,
  "open CDATA": (length) => "</a><password><![CDATA[".repeat(length / 23),
  "heads of parts": (length) => 'Content-Disposition: form-data; name="password"\r\n'.repeat(length / 49),
  "parts without an end": (length) => 'Content-Disposition: form-data; name="password"\r\n\r\n'.repeat(length / 51),
  "user-info without an end": (length) => `http://${"a:".repeat(length / 2)}`,
  schemes: (length) => "://".repeat(length / 3),
  "nested percent-encoding": (length) => "%2525".repeat(length / 5),
  backslashes: (length) => `{"password":"${"\\".repeat(length)}`,
  "escaped quotes": (length) => `x {"password":"${'\\"'.repeat(length / 2)}`,
  "a list without an end": (length) => `x "tokens":[${" ,".repeat(length / 2)}`,
  "pairs without a name": (length) => '{"value":"a","a":'.repeat(length / 17),
  base64: (length) => "ZXlK".repeat(length / 4),
};

test.each(Object.entries(hostile))("a megabyte of %s takes time in proportion to its length", (_name, textOf) => {
  const text = textOf(1_000_000);
  const exchange = exchangeOf({ responseBody: text });
  const { response } = createRedactor().redact(exchange);
  createRedactor().leaksIn(text);
  expect([response.type, plainMask(text)]).toEqual(["response", expect.any(String)]);
});
