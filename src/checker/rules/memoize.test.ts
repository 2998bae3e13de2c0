import { expect, test } from "vitest";
import { onceEach } from "./memoize.ts";

test("makes a value once for each text, undefined included", () => {
  const asked: string[] = [];
  const of = onceEach((text) => {
    asked.push(text);
    return text === "" ? undefined : text.length;
  });
  expect(["a", "", "a", "", "bc"].map(of)).toEqual([1, undefined, 1, undefined, 2]);
  expect(asked).toEqual(["a", "", "bc"]);
});

test("keeps what comes again, forgets the rest, and keeps no text that is too long", () => {
  const asked = new Map<string, number>();
  const of = onceEach((text) => asked.set(text, (asked.get(text) ?? 0) + 1).size);
  for (let index = 0; index < 3000; index += 1) {
    of("again");
    of(`other ${index}`);
  }
  of("other 0");
  const long = "x".repeat(64 * 1024 + 1);
  of(long);
  of(long);
  expect(["again", "other 0", "other 1", long].map((text) => asked.get(text))).toEqual([1, 2, 1, 2]);
});
