import { expect, test } from "vitest";
import { isSameMessage } from "./is-same-message.ts";

const message = { bytes: Uint8Array.of(1, 2), nodes: new Map([["0", { list: ["a", 1n] }]]), absent: undefined };

test("a value with the fields of a message is the same, whatever else it has", () => {
  const value = { bytes: Uint8Array.of(1, 2), nodes: new Map([["0", { list: ["a", 1n], more: 1 }]]), more: 2 };
  expect(isSameMessage(value, message)).toBe(true);
});

test.each([
  { ...message, bytes: Uint8Array.of(1, 3) },
  { ...message, bytes: [1, 2] },
  { ...message, nodes: new Map([["1", { list: ["a", 1n] }]]) },
  { ...message, nodes: new Map([["0", { list: ["a", 1] }]]) },
  { ...message, nodes: new Map([["0", { list: ["a"] }]]) },
  { ...message, nodes: new Map() },
  { ...message, absent: "" },
  undefined,
])("another value is not: %o", (value) => {
  expect(isSameMessage(value, message)).toBe(false);
});
