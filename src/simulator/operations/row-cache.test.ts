import { expect, test } from "vitest";
import type { JsonObject } from "../../foundation/json/json.ts";
import { createShapes } from "../../foundation/spec/shape.ts";
import { RowCache } from "./row-cache.ts";

const { properties } = createShapes({
  components: { schemas: { row: { type: "object", properties: { id: { type: "string" } } } } },
}).shapeAt("/components/schemas/row");

test("builds the JSON of a row once", () => {
  const cache = new RowCache<{ readonly id: string }>();
  const row = { id: "a" };
  let made = 0;
  const make = ({ id }: { readonly id: string }) => {
    made += 1;
    return { id, gone: null };
  };
  const cached = cache.of(row, make);
  expect([cache.of(row, make), made, cached.json]).toEqual([cached, 1, { id: "a", gone: null }]);
  expect([cache.of({ id: "a" }, make) === cached, made]).toEqual([false, 2]);
});

test("renders a row once for each schema in turn", () => {
  const cached = new RowCache<object>().of({}, () => ({ id: "a", gone: null }));
  const shape = properties.get("id");
  expect(cached.sent(shape, withoutGone)).toEqual({ shape, json: { id: "a" }, text: '{"id":"a"}' });
  expect(cached.sent(shape, neverRequested).text).toBe('{"id":"a"}');
  expect(cached.sent(undefined, unchanged).text).toBe('{"id":"a","gone":null}');
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
  for (let index = 0; index < 20; index += 1) cache.of({}, make).sent(undefined, unchanged);
  expect(cache.of(row, make)).not.toBe(json);
});

test("counts the text of a row once, in whatever schema it is sent", () => {
  const cache = new RowCache<object>();
  const make = () => ({ text: "x".repeat(1024 * 1024) });
  const row = {};
  const first = cache.of(row, make);
  for (const other of [{}, {}]) {
    for (let index = 0; index < 20; index += 1)
      cache.of(other, make).sent(index % 2 === 0 ? undefined : properties.get("id"), unchanged);
    cache.of({}, make);
  }
  expect(cache.of(row, make)).toBe(first);
});

test("counts the texts of rows that are used repeatedly", () => {
  const cache = new RowCache<object>();
  const make = () => ({ text: "x".repeat(1024 * 1024) });
  const rows = Array.from({ length: 40 }, () => ({}));
  for (const [index, row] of rows.entries()) {
    cache.of(row, make).sent(undefined, unchanged);
    for (const before of rows.slice(0, index)) cache.of(before, make);
  }
  let anew = 0;
  for (const row of rows)
    cache.of(row, make).sent(undefined, (_, json) => {
      anew += 1;
      return json;
    });
  expect(rows.length - anew).toBeLessThanOrEqual(10);
});

function withoutGone(_: unknown, { gone, ...kept }: JsonObject): JsonObject {
  return kept;
}

function unchanged(_: unknown, json: JsonObject): JsonObject {
  return json;
}

function neverRequested(): never {
  throw new Error("built twice");
}
