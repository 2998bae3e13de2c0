import { expect, test } from "vitest";
import { GenerationCache } from "./generation-cache.ts";

const cacheOf = (entriesMax: number, sizeMax: number) =>
  new GenerationCache<string, string>({ entriesMax, sizeMax }, (value) => value.length);

test("keeps entries that are used, and drops those that are not used for two generations", () => {
  const cache = cacheOf(2, 100);
  cache.set("unused", "1");
  cache.set("used", "2");
  for (const key of ["a", "b", "c", "d"]) {
    cache.set(key, key);
    expect(cache.get("used")).toBe("2");
  }
  expect(cache.get("unused")).toBeUndefined();
});

test("begins a generation when the sizes exceed the bound, counts growth, and never caches what is larger than the bound", () => {
  const cache = cacheOf(100, 10);
  cache.set("first", "12345");
  cache.set("large", "12345678901");
  expect(cache.get("large")).toBeUndefined();
  cache.set("second", "12345");
  cache.grow(1);
  cache.set("third", "");
  cache.set("fourth", "1234567890");
  cache.set("fifth", "1");
  expect(["first", "second", "fourth", "fifth"].map((key) => cache.get(key))).toEqual([
    undefined,
    undefined,
    "1234567890",
    "1",
  ]);
});

test("an entry that replaces one of the same key takes its room", () => {
  const cache = cacheOf(100, 10);
  cache.set("kept", "12345");
  for (let index = 0; index < 10; index += 1) cache.set("replaced", "12345");
  cache.set("another", "");
  expect(cache.get("kept")).toBe("12345");
});
