import { expect, test } from "vitest";
import { seededHex } from "./seeded-hex.ts";

test("depends on seed, purpose and counter, and on nothing else", () => {
  const one = seededHex(1, "update", 1, 64);
  expect(seededHex(1, "update", 1, 64)).toBe(one);
  expect(seededHex(1, "update", 1, 8)).toBe(one.slice(0, 8));
  expect(
    new Set([one, seededHex(2, "update", 1, 64), seededHex(1, "trace", 1, 64), seededHex(1, "update", 2, 64)]).size,
  ).toBe(4);
});
