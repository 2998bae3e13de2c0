import { expect, test } from "vitest";
import { Body, emptyBody } from "../../foundation/http/body.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { exchangeAgain, type RecordingItem, readRecording } from "./read-recording.ts";
import { writeHar } from "./write-har.ts";

async function* chunksOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

async function read(text: string | Uint8Array, size = 7, isWanted?: (byte: number) => boolean) {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const items: RecordingItem[] = [];
  for await (const item of readRecording(chunksOf(bytes, size), { isWanted })) items.push(item);
  return items;
}

/** The paths of the exchanges, and the problem where there is one. */
async function seen(text: string | Uint8Array, size?: number, isWanted?: (byte: number) => boolean) {
  return (await read(text, size, isWanted)).map((item) =>
    item.type !== "exchange" ? item.problem : new URL(item.exchange.request.target).pathname,
  );
}

const entry = (path: string, more: object = {}) => ({
  startedDateTime: "2026-01-01T00:00:00Z",
  time: 3,
  request: { method: "GET", url: `http://node:7575${path}`, headers: [{ name: 'x"}]', value: "{[\\" }] },
  response: { status: 200, headers: [], content: { mimeType: "application/json", text: '{"a":"}]"}' } },
  ...more,
});
const [one, two, three] = [entry("/1"), entry("/2"), entry("/3")];
const lines = [one, two, three].map((value) => JSON.stringify(value));
const paths = ["/1", "/2", "/3"];
const log = { version: "1.2", pages: [{ entries: [entry("/no")], log: { entries: [entry("/no")] } }] };
const har = (value: object, indent?: number | string) => JSON.stringify({ log: value }, null, indent);

const layouts: readonly (readonly [string, string | Uint8Array])[] = [
  ["a list of entries", JSON.stringify([one, two, three])],
  ["an indented list of entries", JSON.stringify([one, two, three], null, 2)],
  ["a list with an entry on each line", `[\n${lines.join(",\n")}\n]\n`],
  ["a list, and a HAR behind it", `[${lines[0]}]\n${har({ entries: [two, three] })}`],
  ["a HAR, and a list behind it", `${har({ ...log, entries: [one] })}[${lines[1]},\n${lines[2]}]`],
  ["an entry on each line", `{"log":{"version":"1.2","entries":[\n${lines.join(",\n")}\n]}}\n`],
  ["an entry on each line with CRLF", `{"log":{"entries":[\r\n${lines.join(" ,\r\n")}\r\n]}}\r\n`],
  ["commas at the beginning of lines", `{"log":{"entries":[\n${lines.join("\n,")}\n]}}`],
  ["the end behind the last entry", `{"log":{"entries":[${lines.join(",\n")}]}}\n`],
  ["all on one line", har({ ...log, entries: [one, two, three], comment: 'entries":[{' })],
  ["many lines", har({ entries: [one, two, three], ...log }, 2)],
  ["many lines with tabs", har({ ...log, entries: [one, two, three] }, "\t")],
  [
    "members around the log",
    JSON.stringify({ comment: "log", x: { log: 1 }, log: { entries: [one, two, three] }, y: [] }),
  ],
  [
    "an escaped character in a value before",
    JSON.stringify({ c: '\\" {"log":{"entries":[', log: { entries: [one, two, three] } }),
  ],
  ["zeros at its end", `${har({ entries: [one, two, three] })}\n\0\0\0`],
  ["lines of entries", `${lines.join("\n")}\n`],
  ["lines of entries without an end", lines.join("\r\n")],
  ["entries in many lines", [one, two, three].map((value) => JSON.stringify(value, null, 2)).join("\n")],
  ["a byte order mark", `\uFEFF{"log":{"entries":[\n${lines.join(",\n")}\n]}}`],
];

test.each(layouts)("finds the position of each entry in a recording with %s", async (_name, text) => {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  for (const size of [7, 100_000]) {
    const items = (await read(text, size)).filter((item) => item.type === "exchange");
    const again = items.map(({ place }) => exchangeAgain(bytes.subarray(place.byte, place.byte + place.length), place));
    expect(again).toEqual(items.map(({ exchange }) => exchange));
    expect(again).toHaveLength(3);
  }
});

test.each(layouts)("reads a recording with %s, whatever its chunks", async (_name, text) => {
  for (const size of [1, 2, 5, 64, 1000, 1_000_000]) expect(await seen(text, size)).toEqual(paths);
});

test.each(layouts)("skips entries that are not requested in a recording with %s", async (_name, text) => {
  const bytes = (await read(text)).map((item) => (item.type === "exchange" ? item.place.byte : undefined));
  for (const size of [1, 64, 1_000_000]) {
    const items = await read(text, size, (byte) => byte !== bytes[1]);
    expect(items).toMatchObject([{ index: 0 }, { index: 2, exchange: { request: { target: "http://node:7575/3" } } }]);
  }
});

test("does not parse skipped entries once each entry is known to be a line", async () => {
  const text = `{"log":{"entries":[\n${[lines[0], "{no JSON}", lines[2]].join(",\n")}\n]}}\n`;
  expect(await seen(text, 1_000_000, (byte) => byte === text.lastIndexOf(lines[2] ?? ""))).toEqual(["/3"]);
  expect(await seen(text, 1_000_000)).toEqual(["/1", "an entry is not JSON"]);
});

test.each([
  ["nothing", "", "it is empty", 1],
  ["only spaces", " \n ", "it is empty", 2],
  ["no JSON", "x", "it is not JSON", 1],
  ["a web page", "\n<html>", "it is not JSON", 2],
  ["a list of numbers", "[1]", "an entry is not an object", 1],
  ["a list of anything", '[{"a":1}]', "an element of its list is not a HAR entry", 1],
  ["a list that breaks off", '[{"a":1', "it is truncated", 1],
  ["a closing bracket too many", "[]]", "it is not JSON", 1],
  ["no log", "{}", "it has no log.entries", 1],
  ["no entries", '{"log":{}}', "it has no log.entries", 1],
  ["entries that are not a list", '{"log":{"entries":{}}}', "it has no log.entries", 1],
  ["an exchange without a status", '{"request":{},"response":{"headers":{}}}', "it has no log.entries", 1],
  ["an entry that is not an object", '{"log":{"entries":[\n1]}}', "an entry is not an object", 2],
  ["a bracket too many", '{"log":{"entries":[]}}\n}', "other text follows", 2],
  ["a line of a log after it", '{"log":{"entries":[]}}\n-- done', "other text follows", 2],
  ["the beginning of a log only", '{"log":{"entries":[', "it is truncated", 1],
])("says what is wrong with a file that has %s", async (_name, text, problem, line) => {
  for (const size of [1, 1000])
    expect(await read(text, size)).toMatchObject([{ type: "invalid", problem, line, entries: 0 }]);
});

test("reads the entries of a truncated file, and names the place of the truncation", async () => {
  const text = `{"log":{"entries":[\n${lines.join(",\n")}`;
  const begin = text.indexOf(lines[2] ?? "");
  for (const size of [1, 1000])
    for (const cut of [1, 100, lines[2]?.length ?? 0]) {
      const items = await read(text.slice(0, begin + cut), size);
      const isWhole = cut === lines[2]?.length;
      expect(items.length).toBe(isWhole ? 4 : 3);
      expect(items.at(-1)).toMatchObject({ problem: "it is truncated", entries: isWhole ? 3 : 2, line: 4 });
      if (!isWhole) expect(items.at(-1)).toMatchObject({ byte: begin });
    }
});

test("names the entry that is not JSON, and stops reading there", async () => {
  const text = `{"log":{"entries":[\n${lines[0]},\n{"request":},\n${lines[2]}\n]}}`;
  expect(await read(text)).toMatchObject([
    { type: "exchange" },
    { type: "invalid", problem: "an entry is not JSON", entries: 1, line: 3, byte: text.indexOf('{"request":}') },
  ]);
});

async function readOne(value: object): Promise<Exchange | undefined> {
  const [item] = await read(har({ entries: [value] }));
  return item?.type === "exchange" ? item.exchange : undefined;
}

const bodyOf = (exchange: Exchange | undefined) =>
  exchange?.response.type === "response" ? exchange.response.body.text() : undefined;

test("reads method, URL, host and body of an entry", async () => {
  const content = { mimeType: "application/json", encoding: "base64", text: btoa("{}") };
  const request = {
    method: "get",
    url: "http://node:7575/v2/users?a=1",
    headers: [{ name: ":authority", value: "n" }],
  };
  const exchange = await readOne(entry("", { request, response: { status: 200, headers: [], content } }));
  expect(exchange).toMatchObject({
    request: { method: "GET", target: "http://node:7575/v2/users?a=1", headers: [["Host", "node:7575"]] },
    response: { status: 200, headers: [["Content-Type", "application/json"]] },
  });
  expect(bodyOf(exchange)).toBe("{}");
});

test("reads invalid base64 as plain text", async () => {
  const content = { encoding: "base64", text: "?" };
  expect(bodyOf(await readOne(entry("", { response: { status: 200, content } })))).toBe("?");
});

test.each([
  ["no status", {}, { kind: "unexplained" }],
  ["status 0 of Firefox", { status: 0 }, { kind: "unexplained" }],
  [
    "status 0 of Chrome",
    { status: 0, _error: "net::ERR_TIMED_OUT" },
    { kind: "timed-out", reason: "net::ERR_TIMED_OUT" },
  ],
  ["status -1 of Playwright", { status: -1, _failureText: "refused" }, { kind: "reset", reason: "refused" }],
  ["a request that the client took back", { status: 0, _error: "net::ERR_ABORTED" }, { kind: "unexplained" }],
  ["a body cut short", { status: 0, _error: "net::ERR_INCOMPLETE_CHUNKED_ENCODING" }, { kind: "truncated" }],
  ["our own comment", { status: 0, comment: "too-large" }, { kind: "too-large" }],
])("reads %s as a missing response", async (_name, response, broken) => {
  const exchange = await readOne(entry("", { response }));
  expect(exchange?.response).toMatchObject({ type: "broken", ...broken });
  if (!("reason" in broken) && !("_error" in response)) expect(exchange?.response).not.toHaveProperty("reason");
});

test("writes no token, cookie or key", () => {
  const secrets = [
    ["Authorization", "Bearer topsecret"],
    ["Cookie", "topsecret"],
    ["X-Api-Key", "topsecret"],
    ["Proxy-Authorization", "topsecret"],
  ] as const;
  const request = { method: "GET", target: "/v2/idps", headers: secrets, body: emptyBody };
  const headers = [["Set-Cookie", "topsecret"]] as const;
  const received = { type: "response", status: 200, headers, body: emptyBody } as const;
  const text = writeHar([{ startedAt: "2026-01-01T00:00:00.000Z", durationMs: 1, request, response: received }], "1");
  expect(text).not.toContain("topsecret");
  expect(text.match(/\[redacted\]/g)).toHaveLength(5);
});

test("reads back what it wrote: text, bytes, and incomplete responses", async () => {
  const request = {
    method: "POST",
    target: "https://node.example/v2/users/a/rights?x=1",
    headers: [
      ["Host", "node.example"],
      ["Content-Type", "application/json"],
    ],
    body: new Body('{"userId":"ä"}'),
  } as const;
  const headers = [["Content-Type", "application/octet-stream"]] as const;
  const responses = [
    { type: "response", status: 200, headers, body: new Body(new Uint8Array([0, 255, 254])) },
    { type: "broken", kind: "timed-out" },
    { type: "broken", kind: "truncated", reason: "a: b\nc" },
  ] as const;
  const written = responses.map((received) => ({
    startedAt: "2026-01-01T00:00:00.000Z",
    durationMs: 2,
    request,
    response: received,
  }));
  const items = await read(writeHar(written, "1.0.0"));
  const exchanges = items.map((item) => item.type === "exchange" && item.exchange);
  expect(exchanges).toEqual(written);
});

const noted = { method: "POST", url: "http://a/v2/users", headers: { Host: "a" }, body: { b: 1 } };

async function notedBodies(response: object): Promise<unknown> {
  const [item] = await read(JSON.stringify({ request: noted, response }));
  return item?.type !== "exchange" ? item?.problem : [item.exchange.request.body.text(), bodyOf(item.exchange)];
}

test("reads an exchange written by hand: a text body verbatim, any other as JSON", async () => {
  expect(await notedBodies({ status: 400, headers: {}, body: "no such user" })).toEqual(['{"b":1}', "no such user"]);
  expect(await notedBodies({ status: 400, body: { error: "x" } })).toEqual(['{"b":1}', '{"error":"x"}']);
  expect(await notedBodies({ status: 400 })).toEqual(['{"b":1}', ""]);
});

test("reads a list of exchanges written by hand, an empty one included", async () => {
  const noted = `{"request":{"url":"http://n/v2/a","body":12345678901234567890},"response":{"status":200}}`;
  const [item] = await read(`[${noted}]`);
  if (item?.type !== "exchange") throw new Error("no exchange");
  expect(item.exchange.request.body.text()).toBe("12345678901234567890");
  expect(await read("[]")).toEqual([]);
});

test("keeps the integers of a body written by hand exact", async () => {
  const text = '{"request":{"url":"http://a/1"},"response":{"status":200,"body":{"offset":9007199254740993}}}';
  for (const layout of [text, `${text}\n${text}`]) {
    const [item] = await read(layout, 1000);
    expect(item?.type === "exchange" && bodyOf(item.exchange)).toBe('{"offset":9007199254740993}');
  }
});

test("recognizes HAR by its log, with any other members in any order", async () => {
  const response = { status: 200 };
  for (const value of [
    { log: { entries: [one] }, request: noted, response },
    { request: noted, response, log: { entries: [one] } },
  ])
    for (const end of ["", "\n"]) expect(await seen(JSON.stringify(value) + end, 1000)).toEqual(["/1"]);
});

test("reads an entry again at any nesting", async () => {
  const deep = `{"request":{"method":"GET","url":"/v2/idps"},"response":{"status":200},"x":${"[".repeat(600)}${"]".repeat(600)}}`;
  const text = `{"log":{"entries":[\n${deep}\n]}}`;
  const [item] = await read(text, 1000);
  if (item?.type !== "exchange") throw new Error("it is read");
  const { byte, length } = item.place;
  expect(exchangeAgain(new TextEncoder().encode(text).subarray(byte, byte + length), item.place)).toEqual(
    item.exchange,
  );
});
