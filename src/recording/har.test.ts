import { expect, test } from "vitest";
import { readHar } from "./har.ts";

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

test("reads method, target, host and body of an entry", () => {
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
        request: { method: "GET", target: "/v2/users?pageSize=1", headers: [["Host", "node:7575"]] },
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
