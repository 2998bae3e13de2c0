import { deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { showViolation } from "../../src/checker/engine/shown-violation.ts";
import { maskedExchange } from "../../src/checker/reports/masked-exchange.ts";
import { Body } from "../../src/foundation/http/body.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import type { HeaderList } from "../../src/foundation/http/header.ts";
import { type Json, jsonOf } from "../../src/foundation/json/json.ts";
import { plainMask } from "../../src/foundation/secrets/mask.ts";
import { harEntry } from "../../src/recordings/har/har-entry.ts";
import { recordedExchange } from "../../src/recordings/har/recorded-exchange.ts";
import { createRedactor } from "../../src/recordings/redaction/redactor.ts";
import { maskOfExchange, shownBody } from "../../src/stub/journal/shown-exchange.ts";
import { exchangeOf } from "../_exchange.ts";

const { encodeURIComponent: percent } = globalThis;
const base64 = (text: string) => Buffer.from(text).toString("base64");
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const parts = (name: string, value: string) =>
  `--b0\r\nContent-Disposition: form-data; name="user"\r\n\r\nbob\r\n--b0\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b0--\r\n`;

/** Forms in which a text can carry a secret. */
const forms: Readonly<Record<string, (secret: string) => string>> = {
  PEM: (secret) => `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`,
  "percent-encoded PEM": (secret) => `-----BEGIN%20PRIVATE%20KEY-----%0A${secret}%0A-----END%20PRIVATE%20KEY-----`,
  bearer: (secret) => `sent Bearer ${secret}`,
  basic: (secret) => `Basic ${base64(`user:${secret}`)}`,
  "user-info": (secret) => `http://user:${percent(secret)}@h.example/x`,
  JWT: (secret) => `${base64url({ alg: "none" })}.${base64url({ sub: secret })}.c2ln`,
  cookie: (secret) => `Cookie: theme=dark; session=${percent(secret)}`,
  query: (secret) => `http://h.example/x?a=1&access_token=${percent(secret)}&b=2`,
  fragment: (secret) => `http://h.example/x#access_token=${percent(secret)}&state=1`,
  "nested URL": (secret) => `/x?next=${percent(`http://h.example/?client_secret=${percent(secret)}`)}&b=2`,
  "twice encoded URL": (secret) => `/x?next=${percent(percent(`http://user:${percent(secret)}@h.example/?a=1`))}`,
  "form field": (secret) => `user=bob&user%5Bpassword%5D=${percent(secret)}`,
  "multipart part": (secret) => parts("password", secret),
  "XML element": (secret) => `<a:login><a:password kind="text">${secret}</a:password></a:login>`,
  "CDATA of an XML element": (secret) => `<login><password><![CDATA[${secret}]]></password></login>`,
  "XML attribute": (secret) => `<login password="${secret}"/>`,
  assignment: (secret) => `it said: password = "${secret}" here`,
  "JSON in prose": (secret) => `it said {"password":${JSON.stringify(secret)}} here`,
  "truncated JSON": (secret) => `{"a":1,"password":${JSON.stringify(secret)},"b":`,
  "list in truncated JSON": (secret) => `{"refreshTokens":["a",${JSON.stringify(secret)}],"b":`,
  ...Object.fromEntries(
    ["bearer", "pwd", "accessKey", "seed", "privateKeyHex", "api_key", "sessionId"].map((name) => [
      `member ${name}`,
      (secret: string) => JSON.stringify({ [name]: secret, b: 2 }),
    ]),
  ),
  "user of curl": (secret) => `curl -sS -u alice:${secret} http://h.example/`,
  "quoted user of curl": (secret) => `curl --user 'alice:${secret}' http://h.example/`,
  flag: (secret) => `tool login --password ${secret} --region a`,
  "flag with =": (secret) => `tool login --api-key=${secret} --region a`,
  netrc: (secret) => `machine h.example login alice password ${secret}`,
  "netrc in lines": (secret) => `machine h.example\n  login alice\n  password ${secret}\n`,
  Digest: (secret) => `Digest username="a", realm="r", nonce="n", uri="/", response="${secret}"`,
  HTML: (secret) => `<p>{&quot;password&quot;:&quot;${secret}&quot;}</p>`,
  ...Object.fromEntries(
    ["pin", "otp", "authHeader"].map((name) => [
      `member ${name}`,
      (secret: string) => JSON.stringify({ [name]: secret, b: 2 }),
    ]),
  ),
  pair: (secret) => JSON.stringify([{ name: "password", value: secret }]),
  "pair in the other order": (secret) => JSON.stringify([{ value: secret, name: "password" }]),
};

/** Ways in which a text is written within another one. */
const wrappers: Readonly<Record<string, (text: string) => string>> = {
  alone: (text) => text,
  "in JSON": (text) => JSON.stringify({ note: text }),
  "in JSON in JSON": (text) => JSON.stringify({ note: JSON.stringify({ inner: [text] }) }),
  "in JSON in prose": (text) => `got ${JSON.stringify(JSON.stringify({ inner: text }))} here`,
  "in a form field": (text) => `a=1&note=${percent(text)}`,
  "in a form field of a form field": (text) => `a=1&note=${percent(`b=1&inner=${percent(text)}`)}`,
};

const places = ["target", "request header", "request body", "response header", "response body"] as const;

interface Placed {
  readonly place: (typeof places)[number];
  readonly text: string;
  readonly more?: { readonly headers?: HeaderList; readonly body?: string };
}

const party = `alice::1220${"a".repeat(64)}`;

function exchangeWith({ place, text, more }: Placed): Exchange {
  const headers = (where: Placed["place"]): HeaderList => [
    ["Content-Type", "application/json"],
    ["X-Party", party],
    ...(place === where ? [["X-Note", text.replaceAll(/[\r\n]/g, " ")] as const] : []),
    ...(where === "request header" ? (more?.headers ?? []) : []),
  ];
  const body = (where: Placed["place"]) =>
    new Body(place === where ? text : where === "response body" ? (more?.body ?? "") : `{"party":"${party}"}`);
  return exchangeOf({
    target: place === "target" ? `/v2/idps?note=${percent(text)}` : "/v2/idps",
    headers: headers("request header"),
    body: body("request body"),
    status: 404,
    responseHeaders: headers("response header"),
    responseBody: body("response body"),
  });
}

const decode = (body: Body) => body.text();

function readable({ request, response }: Exchange): string {
  const received = response.type === "response" ? response : undefined;
  const { target, headers, body } = request;
  const texts = [target, headers.flat().join("\n"), decode(body), received?.headers.flat().join("\n") ?? ""];
  return [...texts, received === undefined ? "" : decode(received.body)].join("\n");
}

/** Every output that shows an exchange. */
function outputsOf(exchange: Exchange): Readonly<Record<string, string>> {
  const redactor = createRedactor();
  const mask = maskOfExchange(exchange, undefined);
  const violation = {
    rule: "r",
    section: "4",
    operationId: "o",
    status: 200,
    outcome: "FAIL",
    divergence: undefined,
    expected: "",
    actual: exchange.response.type === "response" ? decode(exchange.response.body) : "",
    pointer: "",
  } as const;
  return {
    mask: readable(maskedExchange(exchange)),
    report: JSON.stringify(showViolation(violation, exchange, plainMask)),
    journal: [mask(exchange.request.target), shownBody(exchange.request.body, mask)].join("\n"),
    recording: JSON.stringify(harEntry(redactor.redact(exchange))),
  };
}

/** The forms of a secret that a text has, where nested encodings are decoded. */
function formsIn(text: string, secret: string): readonly string[] {
  const written: Readonly<Record<string, readonly string[]>> = {
    raw: [secret],
    percent: [percent(secret), percent(percent(secret)), percent(percent(percent(secret)))],
    JSON: [JSON.stringify(secret).slice(1, -1), JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    base64: ["", "x", "xy"].map((ahead) => base64(`${ahead}${secret}`).slice(4, -4)),
  };
  return Object.entries(written).flatMap(([form, texts]) => (texts.some((each) => text.includes(each)) ? [form] : []));
}

const secret = fc.stringMatching(/^MARKED[0-9][A-Za-z0-9]{8,16}$/);
const oddSecret = fc.stringMatching(/^MARKED[0-9][A-Za-z0-9]{6}[+/=é!~][A-Za-z0-9]{6}$/);

/** The lines of multipart do not fit into a header. */
const placesOf = (name: string) => places.filter((place) => name !== "multipart part" || !place.endsWith("header"));

test.each(Object.entries(forms))("no output shows a secret in the form: %s", (name, form) => {
  const isOdd =
    !/curl|flag|netrc|Digest|HTML|hex|bearer|truncated|JSON|pair|PEM/.test(name) || name === "JSON in prose";
  const drawn = fc.tuple(
    isOdd ? fc.oneof(secret, oddSecret) : secret,
    fc.constantFrom(...Object.keys(wrappers)),
    fc.constantFrom(...placesOf(name)),
  );
  fc.assert(
    fc.property(drawn, ([marked, wrapper, place]) => {
      const text = (wrappers[wrapper] ?? String)(form(marked));
      const outputs = outputsOf(exchangeWith({ place, text }));
      for (const [output, shown] of Object.entries(outputs))
        expect([output, formsIn(shown, marked)]).toEqual([output, []]);
    }),
    { numRuns: 60 },
  );
});

test.each(Object.entries(forms))("the leak gate refuses a line with a secret in the form: %s", (name, form) => {
  const drawn = fc.tuple(secret, fc.constantFrom(...Object.keys(wrappers)), fc.constantFrom(...placesOf(name)));
  fc.assert(
    fc.property(drawn, ([marked, wrapper, place]) => {
      const text = (wrappers[wrapper] ?? String)(form(marked));
      const line = JSON.stringify(harEntry(exchangeWith({ place, text })));
      expect(createRedactor().leaksIn(line)).not.toEqual([]);
    }),
    { numRuns: 30 },
  );
});

const spread: Readonly<Record<string, (secret: string) => string>> = {
  raw: (text) => `x ${text} y`,
  "percent-encoded": (text) => `/a/${percent(text)}/b`,
  "twice percent-encoded": (text) => percent(percent(`/a/${text}/b`)),
  "JSON-escaped": (text) => `x ${JSON.stringify(text)} y`,
  "in base64": (text) => base64(`x ${text} y`),
  "id of a user": (text) => JSON.stringify({ userId: text, users: [{ id: text }] }),
};

const fields: Readonly<Record<string, (secret: string) => readonly [string, string]>> = {
  "a bearer token": (text) => ["Authorization", `Bearer ${text}`],
  "a password of basic credentials": (text) => ["Authorization", `Basic ${base64(`user:${text}`)}`],
  "a cookie": (text) => ["Cookie", `session=${text}`],
  "an API key": (text) => ["X-Api-Key", text],
};

test.each(Object.entries(fields))("%s in a header is a secret wherever else it occurs", (_name, field) => {
  const drawn = fc.tuple(secret, fc.constantFrom(...Object.keys(spread)), fc.constantFrom(...places));
  fc.assert(
    fc.property(drawn, ([marked, form, place]) => {
      const text = (spread[form] ?? String)(marked);
      const outputs = outputsOf(exchangeWith({ place, text, more: { headers: [field(marked)] } }));
      for (const [output, shown] of Object.entries(outputs))
        expect([output, formsIn(shown, marked)]).toEqual([output, []]);
    }),
    { numRuns: 60 },
  );
});

/** The members and the types of a JSON value. A secret number becomes a text. */
function shapeOf(value: Json | undefined): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return value === null || typeof value === "boolean" ? value : "leaf";
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}

test("redaction and masks keep the status, names, the shape of JSON and consistent ids, and change nothing twice", () => {
  const value = fc.tuple(
    fc.constantFrom(...Object.values(forms)),
    fc.constantFrom(...Object.values(wrappers)),
    // A text with "::" is a party, which gets a pseudonym; one with `":` may look like a member that holds a key, and a
    // name may hold the password of a URL or the value of a short secret name.
    fc
      .jsonValue({ maxDepth: 3 })
      .filter((drawn) => !/::|\\":|\/\/.*@|(?:sig|auth|pwd|jwt|seed)["']?\s*[:=]/i.test(JSON.stringify(drawn))),
  );
  fc.assert(
    fc.property(secret, value, (marked, [form, wrapper, drawn]) => {
      const body = JSON.stringify({ party, note: wrapper(form(marked)), drawn });
      const exchange = exchangeWith({ place: "request body", text: body, more: { headers: [["Host", "h"]], body } });
      const redacted = createRedactor().redact(exchange);
      for (const shown of [redacted, maskedExchange(exchange)]) {
        expect(shown.response).toMatchObject({ type: "response", status: 404 });
        expect(shown.request.headers.map(([name]) => name)).toEqual(exchange.request.headers.map(([name]) => name));
        expect(shapeOf(jsonOf(decode(shown.request.body)))).toEqual(shapeOf(jsonOf(body)));
        expect(shown.response.body && decode(shown.response.body)).toBe(decode(shown.request.body));
      }
      const name = /"party":"([^"]+)"/.exec(decode(redacted.request.body))?.[1];
      expect(redacted.request.headers).toContainEqual(["X-Party", name]);
      const line = JSON.stringify(harEntry(redacted));
      const again = recordedExchange(JSON.parse(line));
      expect(again && JSON.stringify(harEntry(createRedactor().redact(again)))).toBe(line);
      expect(createRedactor().leaksIn(line)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("a recording without a Host header gets one without the user and the password of the URL", () => {
  const entry = { request: { method: "GET", url: "http://user:s3cr3t@h/", headers: [] }, response: { status: 200 } };
  const exchange = recordedExchange({ startedDateTime: "2026-01-01T00:00:00.000Z", ...entry });
  expect(exchange?.request.headers).toEqual([["Host", "h"]]);
});

test("a password in a Host header is neither shown nor written", () => {
  const exchange = exchangeWith({ place: "target", text: "", more: { headers: [["Host", "user:s3cr3t@h"]] } });
  for (const shown of Object.values(outputsOf(exchange))) expect(shown).not.toContain("s3cr3t");
});

const utf16 = (text: string) => Buffer.from(text, "utf16le");
const bigEndian = (text: string) => utf16(text).swap16();
const utf32 = (text: string) => Buffer.concat([...text].map((each) => Buffer.from([each.charCodeAt(0), 0, 0, 0])));
const mark16 = (bytes: Buffer) => Buffer.concat([Buffer.from([0xff, 0xfe]), bytes]);

/** Bodies that are not UTF-8, by the encoding of their text. */
const encodings: Readonly<Record<string, (text: string) => Uint8Array>> = {
  "UTF-16 with a byte order mark": (text) => mark16(utf16(text)),
  "UTF-16 without a byte order mark": utf16,
  "UTF-16 of the other byte order": bigEndian,
  "UTF-16 behind other bytes": (text) => Buffer.concat([Buffer.from([1, 0, 0, 0, 7, 200]), utf16(text)]),
  "UTF-32": utf32,
  "gzip without Content-Encoding": (text) => gzipSync(text),
  "deflate without Content-Encoding": (text) => deflateSync(text),
  "zstd without Content-Encoding": (text) => zstdCompressSync(text),
  "truncated gzip": (text) => gzipSync(text).subarray(0, -6),
};

test.each(Object.entries(encodings))(
  "no recording has a secret in a body of %s, and the leak gate finds it",
  (name, bytesOf) => {
    const text = JSON.stringify({ password: "MARKED1secret", party, n: 1 });
    const bytes = bytesOf(text);
    const exchange = exchangeOf({ body: new Body(bytes), status: 200, responseBody: new Body(bytes) });
    const redactor = createRedactor();
    const written = harEntry(redactor.redact(exchange));
    const hidden = [utf16, bigEndian, utf32].map((encode) => encode("MARKED1").toString("latin1"));
    const bodies = [written["request"], written["response"]].map((message) => JSON.stringify(message));
    for (const body of bodies) {
      const shown = [
        body,
        ...Array.from(body.matchAll(/[A-Za-z0-9+/=]{16,}/g), ([run]) => Buffer.from(run, "base64").toString("latin1")),
      ];
      expect(shown.filter((each) => ["MARKED1", ...hidden].some((form) => each.includes(form)))).toEqual([]);
      expect(body).toMatch(
        name === "UTF-16 behind other bytes" || name === "truncated gzip" ? /"\[redacted\]"/ : /secret-\d/,
      );
    }
    expect(redactor.leaksIn(written)).toEqual([]);
    const kinds = redactor.leaksIn(harEntry(exchange)).map(({ kind, within }) => [kind, within]);
    const isText = /^UTF-16 (?:without|of)|^UTF-32/.test(name);
    if (name !== "truncated gzip")
      expect(kinds).toEqual([
        ["named", isText ? "UTF-16" : "base64"],
        ["named", isText ? "UTF-16" : "base64"],
      ]);
  },
);

test.each([
  `ghp_${"a1B2".repeat(9)}`,
  `github_pat_${"a1B2".repeat(12)}`,
  `glpat-${"a1B2".repeat(5)}`,
  `xoxb-${"1234567890-".repeat(2)}abcdef`,
  "AKIAIOSFODNN7EXAMPLE",
])("no output shows the token %s, which its beginning identifies", (token) => {
  const exchange = exchangeOf({ body: new Body(`{"note":"it is ${token}."}`), status: 200 });
  for (const [name, text] of Object.entries(outputsOf(exchange))) expect(text, name).not.toContain(token);
});

test("a body in UTF-16 is shown without its secrets", () => {
  const exchange = exchangeOf({ body: new Body(utf16('{"password":"MARKED1"}')), status: 200 });
  const { mask, journal } = outputsOf(exchange);
  expect(journal).toContain('{"password":"[redacted]"}');
  expect(`${mask}${journal}`.replaceAll("\0", "")).not.toContain("MARKED1");
});
