import { expect, test } from "vitest";
import { formatJson, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { createShapes } from "../../foundation/spec/shape.ts";
import { RowCache } from "../../simulator/operations/row-cache.ts";
import { omitNulls } from "./omit-nulls.ts";
import { renderBody } from "./render-body.ts";

const row = { type: "object", properties: { id: { type: "string" }, gone: { type: "string" } } };
const list = { type: "array", items: row };
const description = {
  components: {
    schemas: {
      page: {
        type: "object",
        properties: {
          rows: list,
          next: { type: "string" },
          free: { type: "object" },
          inner: { $ref: "#/components/schemas/page" },
        },
      },
    },
  },
};
const shape = createShapes(description).shapeAt("/components/schemas/page");

function asRow(json: JsonObject): JsonObject {
  return new RowCache<JsonObject>().of(json, (same) => same);
}

test.each<[string, Json]>([
  ["a list of rows", { rows: [asRow({ id: "a", gone: null }), asRow({ id: "ä", gone: "g" })], next: "t" }],
  ["a list of rows and other values", { rows: [asRow({ id: "a", gone: null }), { id: "b", gone: null }] }],
  ["rows deeper down", { inner: { rows: [asRow({ id: "a", gone: null })], next: null }, next: null }],
  ["a list without rows", { rows: [{ id: "a", gone: null }, 1n, null], next: "" }],
  ["an empty list and an empty object", { rows: [], free: {} }],
  ["free-form data with null in it", { free: { gone: null, deep: [{ gone: null }] }, unnamed: null }],
  ["names that must be escaped", { 'a"b': 1, "": "\u2028" }],
  ["a list by itself", [asRow({ id: "a", gone: null })]],
  ["a value that is not an object", 9007199254740993n],
])("renders %s, with and without null members", (_name, body) => {
  expect(renderBody(body, undefined).join("")).toBe(formatJson(body));
  const rows = structuredCopy(body);
  expect(renderBody(rows, shape).join("")).toBe(formatJson(omitNulls(shape, rows)));
});

/** Copies a value with new rows: the rows of one cache have one rendering. */
function structuredCopy(value: Json): Json {
  if (Array.isArray(value)) return value.map(structuredCopy);
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, structuredCopy(inner)]));
  return value.constructor === Object ? copy : asRow(copy);
}
