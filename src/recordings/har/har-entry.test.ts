import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { exchangeOf } from "../../../test/_exchange.ts";
import { Body, emptyBody } from "../../foundation/http/body.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import type { Response } from "../../foundation/http/response.ts";
import { formatJson, parseJson } from "../../foundation/json/json.ts";
import { decodeBodies } from "./decode-bodies.ts";
import { harEntry } from "./har-entry.ts";
import { recordedExchange } from "./recorded-exchange.ts";
import { recordingLimits } from "./recording-limits.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function exchanged(received: Partial<Response> | FailedResponse, sent: Partial<Exchange["request"]> = {}): Exchange {
  const request = { target: "http://node/v2/x?a=1&a=%20", headers: [["Host", "node"]], body: "{}" } as const;
  const whole = { type: "response", status: 200, headers: [["Content-Type", "a/b"]], body: new Body("hi") } as const;
  const response = received.type === "broken" ? received : { ...whole, ...received };
  const exchange = exchangeOf({ durationMs: 6, ...request, response });
  return { ...exchange, request: { ...exchange.request, ...sent } };
}

const reread = (exchange: Exchange) => recordedExchange(parseJson(formatJson(harEntry(exchange))));

function bodiesOf(exchange: Exchange | undefined) {
  const received = exchange?.response;
  const messages = [exchange?.request, received?.type === "response" ? received : received?.partial];
  return messages.map((message) => message?.body.bytes());
}

test.each([
  ["text", bytes("é 1234567890123456789 \u2028")],
  ["a byte order mark", new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d])],
  ["what is no UTF-8", new Uint8Array([0, 0xff, 0xc3, 0x28])],
  ["nothing", new Uint8Array()],
])("keeps every byte of bodies with %s", (_name, body) => {
  expect(bodiesOf(reread(exchanged({ body: new Body(body) }, { body: new Body(body) })))).toEqual([body, body]);
});

test.each<readonly [string, FailedResponse]>([
  ["never came", { type: "broken", kind: "reset", reason: "the connection was closed: early" }],
  [
    "broke off",
    {
      type: "broken",
      kind: "truncated",
      reason: "closed",
      partial: {
        status: 201,
        headers: [["Content-Type", "a/b"]],
        body: new Body(new Uint8Array([0xff])),
        bodyLength: 100,
      },
    },
  ],
  [
    "was too long",
    {
      type: "broken",
      kind: "unexplained",
      reason: "not recorded",
      partial: { status: 200, headers: [["Content-Type", "a/b"]], body: emptyBody, bodyLength: 100 },
    },
  ],
])("reads again a response that %s", (_name, received) => {
  expect(reread(exchanged(received))?.response).toEqual(received);
});

test("writes additional facts of a recorder into the members that HAR has for them", () => {
  const details = {
    reasonPhrase: "Fine",
    timings: { connect: 1, send: 1, wait: 3, receive: 1 },
    requestBytes: 2,
    responseBytes: 1,
  };
  expect(harEntry(exchanged({}), details)).toMatchObject({
    time: 6,
    request: { bodySize: 2, queryString: [{ value: "1" }, { value: " " }] },
    response: { statusText: "Fine", bodySize: 1, content: { size: 2, compression: 1, text: "hi" } },
    timings: { blocked: -1, dns: -1, connect: 1, ssl: -1, send: 1, wait: 3, receive: 1 },
  });
  const kept = harEntry(exchanged({}), { timings: { connect: undefined, send: 1, wait: 3, receive: 2 } });
  expect(kept["timings"]).toMatchObject({ connect: -1 });
});

const json = bytes('{"a":"b"}');

test.each([
  ["gzip", gzipSync(json)],
  ["X-GZIP", gzipSync(json)],
  ["deflate", deflateSync(json)],
  ["deflate", deflateRawSync(json)],
  ["br", brotliCompressSync(json)],
  ["zstd", zstdCompressSync(json)],
  ["br, gzip", gzipSync(brotliCompressSync(json))],
])("decodes %s, and keeps the header that names it", async (coding, coded) => {
  const headers = [["Content-Encoding", coding]] as const;
  const body = new Body(coded);
  const { exchange, omission } = await decodeBodies(exchanged({ headers, body }, { headers, body }));
  expect([bodiesOf(exchange), omission]).toEqual([[json, json], undefined]);
  expect(exchange.request.headers).toEqual(headers);
});

test.each([
  ["another coding", "compress", bytes("x")],
  ["what is not coded as it says", "gzip", bytes("x")],
])("does not decode %s", async (_name, coding, body) => {
  const { exchange } = await decodeBodies(exchanged({ headers: [["Content-Encoding", coding]], body: new Body(body) }));
  expect(bodiesOf(exchange)[1]).toEqual(body);
});

test.each([
  ["gzip", gzipSync(json)],
  ["deflate", deflateSync(json)],
  ["deflate", deflateRawSync(json)],
  ["br", brotliCompressSync(json)],
  ["zstd", zstdCompressSync(json)],
])("omits both bodies if %s decodes to more than the limit", async (coding, coded) => {
  const message = { headers: [["Content-Encoding", coding]], body: new Body(coded) } as const;
  const limits = { ...recordingLimits, recordedBodyBytesMax: json.length - 1 };
  const { exchange, omission } = await decodeBodies(exchanged(message, {}), limits);
  expect(omission).toBe("the bodies are omitted: a decoded body exceeds the limit of 8 bytes (recordedBodyBytesMax)");
  expect(exchange.request.body.size).toBe(0);
  expect(exchange.response).toMatchObject({ type: "broken", kind: "unexplained", reason: omission });
});
