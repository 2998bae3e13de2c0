import { expect, test } from "vitest";
import { playable } from "./playable.ts";

const body = new Uint8Array([1]);

test("an answer that was cut short is cut short again, without the fields of its connection", () => {
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
    answer: { type: "broken", kind: "truncated", partial: { ...partial, headers: [["X-A", "b"]] } },
  });
});

test.each([100, 199, 1000, 200.5])("status %s cannot be answered", (status) => {
  expect(playable({ type: "response", status, headers: [], body })).toMatchObject({ type: "unplayable" });
});

test.each(["too-large", "unexplained"] as const)("an answer that is %s is not made up", (kind) => {
  expect(playable({ type: "broken", kind, reason: "no body" })).toEqual({
    type: "unplayable",
    reason: "the recording does not hold its answer (no body)",
  });
});
