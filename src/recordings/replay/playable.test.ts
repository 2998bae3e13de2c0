import { expect, test } from "vitest";
import { Body } from "../../foundation/http/body.ts";
import { playable } from "./playable.ts";

const body = new Body(new Uint8Array([1]));

test("a response that was cut short is cut short again, without the fields of its connection", () => {
  const partial = {
    status: 200,
    headers: [
      ["Transfer-Encoding", "chunked"],
      ["X-A", "b"],
    ] as const,
    body,
    bodyLength: 9,
  };
  expect(playable({ type: "broken", kind: "truncated", partial })).toEqual({
    type: "playable",
    response: { type: "broken", kind: "truncated", partial: { ...partial, headers: [["X-A", "b"]] } },
  });
});

test.each([100, 199, 1000, 200.5])("a response with status %s cannot be played", (status) => {
  expect(playable({ type: "response", status, headers: [], body })).toMatchObject({ type: "unplayable" });
});

test.each(["too-large", "unexplained"] as const)("a response that is %s is not generated", (kind) => {
  expect(playable({ type: "broken", kind, reason: "no body" })).toEqual({
    type: "unplayable",
    reason: "the recording does not contain its response (no body)",
  });
});

test("a body that is still packed says so, and one that was unpacked does not", () => {
  const headers = [["Content-Encoding", "gzip"]] as const;
  const packed = { type: "response", status: 200, headers, body: new Body(new Uint8Array([0x1f, 0x8b, 8])) } as const;
  expect(playable(packed)).toMatchObject({ response: { headers } });
  expect(playable({ ...packed, body: new Body("{}") })).toMatchObject({ response: { headers: [] } });
});
