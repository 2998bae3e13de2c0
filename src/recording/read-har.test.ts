import { expect, test } from "vitest";
import type { Exchange } from "../http/exchange.ts";
import { readHar } from "./read-har.ts";
import { writeHar } from "./write-har.ts";

const entry = (response: unknown, request: unknown = {}) =>
  JSON.stringify({
    log: {
      entries: [
        {
          startedDateTime: "2026-01-01T00:00:00Z",
          time: 3,
          request: {
            method: "get",
            url: "http://node:7575/v2/users?pageSize=1",
            headers: [{ name: ":authority", value: "node" }],
            ...(request as object),
          },
          response,
        },
      ],
    },
  });

test("reads method, URL, host and body of an entry", () => {
  const har = readHar(
    entry({
      status: 200,
      headers: [],
      content: { mimeType: "application/json", encoding: "base64", text: btoa("{}") },
    }),
  );
  expect(har).toMatchObject({
    type: "read",
    exchanges: [
      {
        request: { method: "GET", target: "http://node:7575/v2/users?pageSize=1", headers: [["Host", "node:7575"]] },
        answer: { status: 200, headers: [["Content-Type", "application/json"]] },
      },
    ],
  });
  const answer = har.type === "read" ? har.exchanges[0]?.answer : undefined;
  expect(answer?.type === "response" && new TextDecoder().decode(answer.body)).toBe("{}");
});

test("takes status 0 as an answer that never came", () => {
  expect(readHar(entry({ status: 0 }))).toMatchObject({ exchanges: [{ answer: { type: "broken" } }] });
});

test.each([
  ["nothing", ""],
  ["no JSON", "x"],
  ["no entries", "{}"],
  ["entries that are no list", '{"log":{"entries":{}}}'],
])("says what is wrong with a file that has %s", (_name, text) => {
  expect(readHar(text)).toMatchObject({ type: "mistaken" });
});

test("writes no token, cookie or key", () => {
  const secrets = [
    ["Authorization", "Bearer topsecret"],
    ["Cookie", "topsecret"],
    ["X-Api-Key", "topsecret"],
    ["Proxy-Authorization", "topsecret"],
  ] as const;
  const request = { method: "GET", target: "/v2/idps", headers: secrets, body: new Uint8Array() };
  const answer = {
    type: "response",
    status: 200,
    headers: [["Set-Cookie", "topsecret"]],
    body: new Uint8Array(),
  } as const;
  const text = writeHar([{ startedAt: "2026-01-01T00:00:00.000Z", durationMs: 1, request, answer }], "1");
  expect(text).not.toContain("topsecret");
  expect(text.match(/\(left out\)/g)).toHaveLength(5);
});

test("reads back what was written, bodies that are no text included", () => {
  const exchange: Exchange = {
    startedAt: "2026-01-01T00:00:00.000Z",
    durationMs: 2,
    request: {
      method: "POST",
      target: "https://node.example/v2/users/a/rights?x=1",
      headers: [
        ["Host", "node.example"],
        ["Content-Type", "application/json"],
      ],
      body: new TextEncoder().encode('{"userId":"a"}'),
    },
    answer: {
      type: "response",
      status: 200,
      headers: [["Content-Type", "application/octet-stream"]],
      body: new Uint8Array([0, 255, 254]),
    },
  };
  expect(readHar(writeHar([exchange], "1.0.0"))).toEqual({ type: "read", exchanges: [exchange] });
});
