import { expect, test } from "vitest";
import { tryPattern } from "./_pattern.ts";

test.each([
  ["^a+$", "aaa", "matches"],
  ["^a+$", "b", "differs"],
  ["(?i)a", "A", "unknown"],
  ["^(([A-Z_]+)+)+1$", "A".repeat(60), "unknown"],
] as const)("of %s the text %s is said to be so: %s", (pattern, text, verdict) => {
  expect(tryPattern(pattern, text)).toBe(verdict);
});
