import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { harEntry } from "./har-entry.ts";
import { recordedExchange } from "./recorded-exchange.ts";

const url = "http://node.example/v2/users";
const json = (text: string) => ({ mimeType: "application/json", size: text.length, text });

function exchangeOf(parts: { readonly [member: string]: Json } = {}) {
  const request = { method: "GET", url, headers: [], queryString: [], cookies: [], headersSize: -1, bodySize: 0 };
  const response = { status: 200, headers: [], cookies: [], content: json("{}"), redirectURL: "", bodySize: 2 };
  const { request: sent, response: received, ...rest } = parts;
  const entry = {
    startedDateTime: "2026-01-01T00:00:00.000Z",
    time: 5,
    cache: {},
    timings: {},
    ...rest,
    request: Object.assign(request, sent),
    response: Object.assign(response, received),
  };
  const exchange = recordedExchange(JSON.parse(JSON.stringify(entry)));
  if (exchange === undefined) throw new Error("no exchange");
  return exchange;
}

const bodyOf = (parts: JsonObject) => {
  const { response } = exchangeOf({ response: parts });
  return response.type === "response" ? response.body.text() : response.reason;
};
const target = (request: JsonObject) => exchangeOf({ request }).request.target;
const pageSize = [{ name: "pageSize", value: "2" }];

const jsonType = [{ name: "content-type", value: "application/json" }];

test.each([
  ["a query only in the list, as in Insomnia", { queryString: pageSize }, `${url}?pageSize=2`],
  ["a query in both places", { url: `${url}?pageSize=2`, queryString: pageSize }, `${url}?pageSize=2`],
  ["a question mark without a query", { url: `${url}?`, queryString: pageSize }, `${url}?pageSize=2`],
  ["a fragment", { url: `${url}#top`, queryString: pageSize }, `${url}?pageSize=2`],
  ["a fragment without a list", { url: `${url}?pageSize=2#top` }, `${url}?pageSize=2`],
  [
    "values that are decoded",
    { queryString: [{ name: "filter party", value: "a::b & ü" }] },
    `${url}?filter%20party=a%3A%3Ab%20%26%20%C3%BC`,
  ],
  ["values that are encoded", { queryString: [{ name: "parties", value: "a%3A%3Ab" }] }, `${url}?parties=a%3A%3Ab`],
  [
    "a parameter twice, and one without a value",
    { queryString: [...pageSize, ...pageSize, { name: "x" }] },
    `${url}?pageSize=2&pageSize=2&x`,
  ],
  [
    "no URL but pseudo-headers",
    {
      url: "",
      headers: [
        { name: ":path", value: "/v2/users" },
        { name: ":authority", value: "node.example" },
        { name: ":scheme", value: "http" },
      ],
    },
    url,
  ],
  ["data", { url: "data:image/png;base64,iVBORw0KGgo=", queryString: pageSize }, "data:image/png;base64,iVBORw0KGgo="],
])("reads a URL with %s", (_what, request, expected) => {
  expect(target(request)).toBe(expected);
});

test.each([
  ["text beside an empty list", { text: '{"a":1}', params: [] }, '{"a":1}'],
  [
    "a form that is only listed",
    {
      mimeType: "application/x-www-form-urlencoded",
      text: "",
      params: [
        { name: "grant_type", value: "client credentials" },
        { name: "scope", value: "a&b" },
      ],
    },
    "grant_type=client+credentials&scope=a%26b",
  ],
  ["base64 that is marked", { text: btoa("{}"), encoding: "base64" }, "{}"],
  ["base64 that nothing marks", { mimeType: "application/json", text: btoa('{"userId":"a"}') }, '{"userId":"a"}'],
])("reads a request body as %s", (_what, postData, expected) => {
  expect(exchangeOf({ request: { method: "POST", postData } }).request.body.text()).toBe(expected);
});

test("reads the parts of a form with files", () => {
  const postData = {
    mimeType: "multipart/form-data; boundary=xyz",
    params: [
      { name: "a", value: "1" },
      { name: "dar", value: "PK", fileName: "a.dar", contentType: "application/zip" },
    ],
  };
  expect(exchangeOf({ request: { method: "POST", postData } }).request.body.text()).toBe(
    '--xyz\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--xyz\r\nContent-Disposition: form-data; name="dar"; filename="a.dar"\r\nContent-Type: application/zip\r\n\r\nPK\r\n--xyz--\r\n',
  );
});

test("reads the request body of HTTP Toolkit that HAR has no member for", () => {
  const request = { method: "POST", _content: { text: btoa("{}"), size: 2, encoding: "base64" } };
  expect(exchangeOf({ request }).request.body.text()).toBe("{}");
});

test.each([
  ["base64", { content: { ...json(btoa('{"a":1}')), encoding: "base64" } }, '{"a":1}'],
  ["base64 with another case", { content: { ...json(btoa('{"a":1}')), encoding: "Base64" } }, '{"a":1}'],
  ["base64 that nothing marks", { content: json(btoa('{"a":1}')) }, '{"a":1}'],
  ["a number that looks like base64", { content: json("1234") }, "1234"],
  ["a text of base64", { content: { mimeType: "text/plain", text: btoa('{"a":1}') } }, btoa('{"a":1}')],
  [
    "no text, and a size",
    { content: { mimeType: "application/json", size: 2 } },
    "the recording has no body; export it with its content",
  ],
  [
    "an empty text, and a size, as in Safari",
    { content: { mimeType: "application/json", size: 9, text: "" } },
    "the recording has no body; export it with its content",
  ],
  ["status 204 without content", { status: 204, content: { size: -1 } }, ""],
])("reads a response body as %s", (_what, response, expected) => {
  expect(bodyOf(response)).toBe(expected);
});

test("a response to HEAD, and one that opens a WebSocket, have no body", () => {
  const response = { content: { size: 90, mimeType: "application/json" } };
  expect(exchangeOf({ request: { method: "HEAD" }, response }).response).toMatchObject({ status: 200 });
  expect(exchangeOf({ response: { ...response, status: 101 } }).response).toMatchObject({ status: 101 });
});

test.each([
  ["the size of the body", { bodySize: 20, postData: { mimeType: "application/json", text: "" } }],
  ["Content-Length", { bodySize: 0, headers: [...jsonType, { name: "Content-Length", value: "20" }] }],
  ["an unknown size", { bodySize: -1 }],
])("a request whose JSON the export lacks by %s is not checked, and its response is kept", (_what, parts) => {
  const { response } = exchangeOf({ request: { method: "POST", headers: jsonType, ...parts } });
  const reason = expect.stringContaining("no request body");
  expect(response).toMatchObject({ type: "broken", reason, partial: { status: 200, bodyLength: 2 } });
});

test("a GET of unknown size has no body", () => {
  const { response } = exchangeOf({ request: { method: "GET", headers: jsonType, bodySize: -1 } });
  expect(response).toMatchObject({ type: "response", status: 200 });
});

test("reads cookies that are only in the list, and headers in an object", () => {
  const { request, response } = exchangeOf({
    request: {
      headers: { ACCEPT: "a/b" },
      cookies: [
        { name: "a", value: "1" },
        { name: "b", value: "2" },
      ],
    },
    response: { cookies: [{ name: "c", value: "3" }] },
  });
  expect(request.headers).toEqual([
    ["ACCEPT", "a/b"],
    ["Host", "node.example"],
    ["Cookie", "a=1; b=2"],
  ]);
  expect(response.headers).toEqual([
    ["Content-Type", "application/json"],
    ["Set-Cookie", "c=3"],
  ]);
});

test("reads the status of a pseudo-header", () => {
  const headers = [{ name: ":status", value: "404" }];
  expect(exchangeOf({ response: { status: null, headers } }).response.status).toBe(404);
});

test.each([
  ["seconds", 1_767_225_600.25, "2026-01-01T00:00:00.250Z"],
  ["milliseconds", 1_767_225_600_250, "2026-01-01T00:00:00.250Z"],
  ["microseconds", 1_767_225_600_250_000, "2026-01-01T00:00:00.250Z"],
  ["milliseconds as text", "1767225600250", "2026-01-01T00:00:00.250Z"],
  ["a zone", "2026-01-01T01:00:00+01:00", "2026-01-01T01:00:00+01:00"],
  ["nothing", null, ""],
])("reads a start in %s", (_what, startedDateTime, expected) => {
  expect(exchangeOf({ startedDateTime }).startedAt).toBe(expected);
});

test.each([
  ["no time", { time: null, timings: { blocked: -1, send: 1, wait: 2, receive: 3 } }, 6],
  ["a negative time", { time: -1, timings: { wait: 2 } }, 2],
  ["neither time nor timings", { time: null }, 0],
])("reads a duration from an entry with %s", (_what, parts, expected) => {
  expect(exchangeOf(parts).durationMs).toBe(expected);
});

test.each([{ _fromCache: "disk" }, { _fetchType: "Memory Cache" }])(
  "knows a response that a browser had: %j",
  (parts) => {
    const exchange = exchangeOf(parts);
    expect(exchange.isCached).toBe(true);
    expect(recordedExchange(harEntry(exchange))?.isCached).toBe(true);
  },
);

test.each(["wss://node.example/v2/updates", "blob:http://a/b", "chrome-extension://a/b.js", "data:,x", "about:blank"])(
  "writes the URL %s as it was",
  (address) => {
    expect(harEntry(exchangeOf({ request: { url: address } }))["request"]).toMatchObject({ url: address });
  },
);

test("keeps the messages of a WebSocket", () => {
  const messages = [
    { type: "send", time: 1_766_255_720.8, opcode: 1, data: '{"beginExclusive":0}' },
    { type: "receive", opcode: 2, data: btoa("bytes") },
  ];
  const exchange = exchangeOf({ _resourceType: "websocket", _webSocketMessages: messages, response: { status: 101 } });
  expect(exchange.messages).toEqual(messages);
  expect(harEntry(exchange)["_webSocketMessages"]).toEqual(messages);
});

test("an element without a URL, as in a session file of Charles, is not an exchange", () => {
  const session = { method: "GET", host: "node.example", path: "/v2/users", request: {}, response: { status: 200 } };
  expect(recordedExchange(session)).toBeUndefined();
});
