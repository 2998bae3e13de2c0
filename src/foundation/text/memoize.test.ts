import { expect, test } from "vitest";
import { memoize } from "./memoize.ts";

test("computes a value once per text, undefined included", () => {
  const requested: string[] = [];
  const of = memoize((text) => {
    requested.push(text);
    return text === "" ? undefined : text.length;
  });
  expect(["a", "", "a", "", "bc"].map(of)).toEqual([1, undefined, 1, undefined, 2]);
  expect(requested).toEqual(["a", "", "bc"]);
});

test("caches repeated texts, evicts the others, and does not cache long texts", () => {
  const requested = new Map<string, number>();
  const of = memoize((text) => requested.set(text, (requested.get(text) ?? 0) + 1).size);
  for (let index = 0; index < 3000; index += 1) {
    of("again");
    of(`other ${index}`);
  }
  of("other 0");
  const long = "x".repeat(64 * 1024 + 1);
  of(long);
  of(long);
  expect(["again", "other 0", "other 1", long].map((text) => requested.get(text))).toEqual([1, 2, 1, 2]);
});
