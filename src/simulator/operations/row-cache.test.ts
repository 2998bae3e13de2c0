import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { RowCache, sentRow } from "./row-cache.ts";

test("builds and writes the JSON of a row once", () => {
  const cache = new RowCache<{ readonly id: string }>();
  const row = { id: "a" };
  let made = 0;
  const make = ({ id }: { readonly id: string }) => {
    made += 1;
    return { id, gone: null };
  };
  const json = cache.of(row, make);
  expect([cache.of(row, make), made, { ...json }]).toEqual([json, 1, { id: "a", gone: null }]);
  expect(sentRow(json, withoutGone)).toEqual({ json: { id: "a" }, text: '{"id":"a"}' });
  expect(sentRow(json, neverRequested)?.text).toBe('{"id":"a"}');
  expect([cache.of({ id: "a" }, make) === json, made]).toEqual([false, 2]);
});

test.each<[string, Json]>([
  ["an object that is not a row", { id: "a" }],
  ["null", null],
  ["a list", []],
  ["a text", "a"],
])("has no cached text for %s", (_name, value) => {
  expect(sentRow(value, neverRequested)).toBeUndefined();
});

test("drops rows that were not used recently, and keeps recent ones", () => {
  const cache = new RowCache<object>();
  const [kept, forgotten] = [{}, {}];
  const make = () => ({});
  const [first, gone] = [cache.of(kept, make), cache.of(forgotten, make)];
  for (let index = 0; index < 20_000; index += 1) {
    cache.of({}, make);
    if (cache.of(kept, make) !== first) throw new Error(`forgotten after ${index} rows`);
  }
  expect(cache.of(forgotten, make)).not.toBe(gone);
});

test("drops rows by the size of their texts", () => {
  const cache = new RowCache<object>();
  const [row, make] = [{}, () => ({ text: "x".repeat(1024 * 1024) })];
  const json = cache.of(row, make);
  for (let index = 0; index < 20; index += 1) sentRow(cache.of({}, make), (same) => same);
  expect(cache.of(row, make)).not.toBe(json);
});

test("counts the texts of rows that are used repeatedly", () => {
  const cache = new RowCache<object>();
  const make = () => ({ text: "x".repeat(1024 * 1024) });
  const rows = Array.from({ length: 40 }, () => ({}));
  for (const [index, row] of rows.entries()) {
    sentRow(cache.of(row, make), (json) => json);
    for (const before of rows.slice(0, index)) cache.of(before, make);
  }
  let anew = 0;
  for (const row of rows)
    sentRow(cache.of(row, make), (json) => {
      anew += 1;
      return json;
    });
  expect(rows.length - anew).toBeLessThanOrEqual(10);
});

function withoutGone({ gone: _, ...kept }: JsonObject): JsonObject {
  return kept;
}

function neverRequested(): never {
  throw new Error("built twice");
}
