import { expect, test } from "vitest";
import { Body } from "../../src/foundation/http/body.ts";
import { harBytes } from "../_har.ts";
import { type json, replaying, shownResponse } from "./_replayed.ts";

const ok = { status: 200, headers: [], content: { mimeType: "application/json", text: '{"a":1}' } };
const get = (url: string, more: object = {}) => ({ method: "GET", url, headers: [], ...more });
const post = (text: string, url = "http://node/v2/users") => get(url, { method: "POST", postData: { text } });
const entry = (request: unknown, response: unknown = ok) => ({
  startedDateTime: "2026-01-01T00:00:00Z",
  request,
  response,
});

/** Unusual and invalid entries, each with the status that its request gets. */
const entries: readonly (readonly [name: string, entry: unknown, status: number])[] = [
  ["no request", { startedDateTime: "", response: ok }, 200],
  ["no response", { startedDateTime: "", request: get("http://node/v2/a") }, 501],
  ["a status that is a text", entry(get("/v2/b"), { ...ok, status: "200" }), 200],
  ["a status that no response has", entry(get("/v2/c"), { ...ok, status: 99999 }), 501],
  ["no body, though it had one", entry(get("/v2/d"), { ...ok, content: { size: 10 } }), 501],
  ["a body in base64", entry(get("/v2/e"), { ...ok, content: { text: "/wD+", encoding: "base64" } }), 200],
  ["pseudo-headers", entry(get("https://node/v2/f", { headers: [{ name: ":path", value: "/v2/f" }] })), 200],
  ["no URL", entry({ method: "GET", headers: [] }), 200],
  ["an invalid URL", entry(get("http://[::1/%zz?%zz=%")), 200],
  [
    "member names of Object.prototype",
    entry(post('{"__proto__":{"x":1},"constructor":"a","a":{"__proto__":"b"}}')),
    200,
  ],
  ["a body that is nested deep", entry(post(`${"[".repeat(5000)}${"]".repeat(5000)}`)), 200],
  ["a truncated body", entry(post('{"user":{"id":')), 200],
  ["a body of one long string", entry(post(JSON.stringify("x".repeat(3_000_000)))), 200],
  ["a body of hex digits", entry(post(JSON.stringify({ user: { id: "a".repeat(3_000_000) } }))), 200],
  [
    "many members",
    entry(post(JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [at, at]))))),
    200,
  ],
  ["colons", entry(get(`http://node/v2/parties/${"a::".repeat(10_000)}`)), 200],
  ["a path of slashes", entry(get(`http://node${"/v2".repeat(2000)}/`)), 200],
];

/** The request of an entry, as a client sends it. */
function requestIn(value: unknown): ReturnType<typeof json> {
  const {
    method = "",
    url = "",
    postData,
  } = { method: "", url: "", postData: undefined, ...objectAt(value, "request") };
  const target = String(url).replace(/^https?:\/\/[^/]*/, "") || "/";
  const body = new Body(String(objectAt({ postData }, "postData")["text"] ?? ""));
  return { method: String(method), target, headers: [], body };
}

function objectAt(value: unknown, member: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || !(member in value)) return {};
  const found: unknown = Object.entries(value).find(([name]) => name === member)?.[1];
  return typeof found === "object" && found !== null ? Object.fromEntries(Object.entries(found)) : {};
}

test.each(entries)("an entry with %s is replayed or refused with 501", async (_name, value, status) => {
  const { send, events } = await replaying(harBytes([value]));
  expect(await send(requestIn(value))).toMatchObject({ type: "response", status });
  expect(events).toHaveLength(1);
  await send({ ...requestIn(value), target: "/v2/other?x=1" });
});

test("all entries in one recording get their own responses", async () => {
  const { send, replayer } = await replaying(harBytes(entries.map(([, value]) => value)));
  for (const [name, value, status] of entries.toReversed())
    expect([name, shownResponse(await send(requestIn(value)))]).toMatchObject([name, { status }]);
  expect(replayer.summary.matched).toBe(entries.filter(([, , status]) => status === 200).length);
});
