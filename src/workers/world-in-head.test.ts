import { expect, test } from "vitest";
import { worldInHead } from "./world-in-head.ts";

const found = (text: string, hasControl = true) => worldInHead(Buffer.from(text, "latin1"), hasControl);

test.each([
  ["GET /w/fork-2-1/v2/users HTTP/1.1\r\nHost: h\r\n\r\n", "fork-2-1"],
  ["POST /__understudy/worlds/fork-2-1/reset HTTP/1.1\r\nHost: h\r\n\r\n", "fork-2-1"],
  ["DELETE /__understudy/worlds/fork-2-1?x=1 HTTP/1.1\r\nHost: h\r\n\r\n", "fork-2-1"],
  ["GET /__understudy/worlds HTTP/1.1\r\nHost: h\r\n\r\n", "default"],
  ["GET /v2/users HTTP/1.1\r\nHost: h\r\nunderstudy-world: fork-2-1\r\n\r\n", "fork-2-1"],
  ["GET /v2/users HTTP/1.1\nUnderstudy-World:\tfork-2-1 \n\n", "fork-2-1"],
  ["\r\n\r\nGET /v2/users HTTP/1.1\r\nHost: h\r\n\r\nGET /w/fork-2-1/ HTTP/1.1\r\n\r\n", "default"],
  ["POST /v2/users HTTP/1.1\r\nContent-Length: 30\r\n\r\nUnderstudy-World: fork-2-1\r\n\r\n", "default"],
  ["nonsense\r\n\r\n", "default"],
  ["\u0016\u0003\u0001\u0002\u0000\u0001", "default"],
  ['{"a', "default"],
])("reads from the head of %j that it is for %s", (text, world) => {
  expect(found(text)).toBe(world);
});

test("knows no more than it has read", () => {
  const head = "GET /v2/users HTTP/1.1\r\nHost: h\r\nUnderstudy-World: fork-2-1\r\n\r\n";
  for (let length = 0; length < head.length; length += 1) expect(found(head.slice(0, length))).toBeUndefined();
  expect(found(head)).toBe("fork-2-1");
});

test("need not wait for headers where the path names the world, and for the whole of its name there", () => {
  expect(found("GET /w/fork-2-1")).toBeUndefined();
  expect(found("GET /w/fork-2-1/v2")).toBe("fork-2-1");
});

test("takes the control API for a path like any other where there is none", () => {
  expect(found("GET /__understudy/worlds/fork-2-1 HTTP/1.1\r\nHost: h\r\n\r\n", false)).toBe("default");
});
