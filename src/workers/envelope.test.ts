import { expect, test } from "vitest";
import type { Answer } from "../http/handler.ts";
import type { Request } from "../http/request.ts";
import { jsonResponse } from "../http/response.ts";
import { packAnswer, packRequest, unpackAnswer, unpackRequest } from "./envelope.ts";

const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/** As it is received: at any place in a larger buffer. */
const moved = (bytes: Uint8Array) => Buffer.concat([Buffer.from("xyz"), bytes]).subarray(3);

const request: Request = {
  method: "PATCH",
  target: "/v2/users/\u00e9?a=b c",
  headers: [
    ["hOST", "h"],
    ["X", "1"],
    ["x", "\u00ff"],
    ["Transfer-Encoding", "chunked"],
  ],
  body: everyByte,
};

test("a request comes as it was sent, with what no client may send", () => {
  expect(unpackRequest(moved(packRequest(request)))).toEqual({ ...request, body: Buffer.from(everyByte) });
});

const partial = { status: 200, headers: [["A", "b"]], body: Buffer.from("{"), bodyLength: 400 } as const;

test.each<[what: string, answer: Answer]>([
  ["whole", { type: "response", status: 409, headers: [["Content-Type", "a/b"]], body: Buffer.from(everyByte) }],
  ["empty", { type: "response", status: 204, headers: [], body: Buffer.alloc(0) }],
  ["reset", { type: "broken", kind: "reset" }],
  ["silent", { type: "broken", kind: "timed-out" }],
  ["cut short", { type: "broken", kind: "truncated", partial }],
])("an answer that is %s comes as it was given", (_, answer) => {
  expect(unpackAnswer(moved(packAnswer(answer)))).toEqual(answer);
});

test("an answer that is made as a text comes with its bytes", () => {
  const unpacked = unpackAnswer(packAnswer(jsonResponse(200, ['{"a":', '"\u00e9"}'])));
  expect(unpacked).toMatchObject({ status: 200, headers: [["Content-Type", "application/json"]] });
  expect(unpacked.type === "response" && new TextDecoder().decode(unpacked.body)).toBe('{"a":"\u00e9"}');
});
