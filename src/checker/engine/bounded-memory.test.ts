import { expect, test } from "vitest";
import { BoundedMemories, rememberedMax } from "./bounded-memory.ts";

test("counts evictions of maps, not those of caches", () => {
  const memories = new BoundedMemories();
  const [map, cache] = [memories.map<string>(), memories.cache<string>()];
  for (let index = 0; index <= rememberedMax; index += 1) cache.set(String(index), "");
  expect([cache.get("0"), memories.evicted]).toEqual([undefined, 0]);
  for (let index = 0; index <= rememberedMax; index += 1) map.set(String(index), "");
  expect([map.get("0"), memories.evicted]).toEqual([undefined, 1]);
});

test("a cache shares the limit in bytes with the maps", () => {
  const memories = new BoundedMemories();
  const [map, cache] = [memories.map<string>(), memories.cache<string>()];
  cache.set("old", "x".repeat(1_000_000));
  map.set("new", "x".repeat(1_500_000));
  expect([cache.get("old"), map.get("new")?.length, memories.evicted]).toEqual([undefined, 1_500_000, 0]);
});
