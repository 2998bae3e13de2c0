import { expect, test } from "vitest";
import { formatJson, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { createShapes } from "../../foundation/spec/shape.ts";
import {
  type BodyMembers,
  type BodyPart,
  hasMembers,
  isRows,
  type UncachedBody,
} from "../../simulator/operations/response-body.ts";
import { CachedRow, RowCache } from "../../simulator/operations/row-cache.ts";
import { omitNulls } from "./omit-nulls.ts";
import { renderBody, sentJson } from "./render-body.ts";

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

function rowOf(json: JsonObject): CachedRow {
  return new RowCache<JsonObject>().of(json, (same) => same);
}

test.each<[string, UncachedBody]>([
  ["a list of rows", { rows: [rowOf({ id: "a", gone: null }), rowOf({ id: "ä", gone: "g" })], next: "t" }],
  ["rows deeper down", { inner: { rows: [rowOf({ id: "a", gone: null })], next: null }, next: null }],
  ["a row by itself", { free: rowOf({ id: "a", gone: null }), next: null }],
  ["a list without rows", { rows: [{ id: "a", gone: null }, 1n, null], next: "" }],
  ["an empty list and an empty object", { rows: [], free: {} }],
  ["free-form data with null in it", { free: { gone: null, deep: [{ gone: null }] }, unnamed: null }],
  ["names that must be escaped", { 'a"b': 1, "": "\u2028" }],
  ["a member named like the prototype", { ["__proto__"]: { ["__proto__"]: 1 } }],
  [
    "an object of parts",
    { id: "a", inner: { gone: null, free: { gone: null }, rows: [rowOf({ id: "a", gone: null })] } },
  ],
  ["a list that is the body", [rowOf({ id: "a", gone: null })]],
  ["a value that is not an object", 9007199254740993n],
])("renders %s, with and without null members", (_name, body) => {
  expect(renderBody(body, undefined).join("")).toBe(formatJson(plainJson(body)));
  expect(renderBody(body, shape).join("")).toBe(formatJson(omitNulls(shape, plainJson(body))));
  expect(formatJson(sentJson(body, shape))).toBe(renderBody(body, shape).join(""));
});

/** The body as JSON, before its schema omits anything: what both functions are compared with. */
function plainJson(body: UncachedBody): Json {
  if (!hasMembers(body)) return plainPart(body);
  return membersOf(body, (inner) => (hasMembers(inner) ? membersOf(inner, plainPart) : plainPart(inner)));
}

function plainPart(part: BodyPart): Json {
  if (part instanceof CachedRow) return part.json;
  return isRows(part) ? part.map(({ json }) => json) : part;
}

function membersOf<Member>(members: BodyMembers<Member>, plain: (member: Member) => Json): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, plain(member)]));
}
