import { expect, test } from "vitest";
import type { JsonObject } from "../json/json.ts";
import { compareDescriptions } from "./compare-descriptions.ts";

/** A description with one operation and one schema, `Body`, of its request and response. */
function described(
  schema: JsonObject,
  more: { readonly path?: string; readonly operation?: JsonObject } = {},
): JsonObject {
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Body" } } };
  const operation = { requestBody: { content }, responses: { "200": { content } }, ...more.operation };
  return { paths: { [more.path ?? "/v2/a/{id}"]: { post: operation } }, components: { schemas: { Body: schema } } };
}

const found = (from: JsonObject, to: JsonObject) =>
  compareDescriptions(from, to).map(({ operation, part, kind, member, value, change }) =>
    [operation, part, kind, change, member, value].filter((text) => text !== "").join(" "),
  );

test("finds added and removed members, values and required members at any depth", () => {
  const from = described({
    properties: { list: { items: { properties: { old: {}, kind: { enum: ["A", "B"] } }, required: ["kind"] } } },
  });
  const to = described({
    properties: { list: { items: { properties: { young: {}, kind: { enum: ["B", "C"] } } } } },
  });
  expect(found(from, to).filter((line) => line.includes(" request "))).toEqual([
    "POST /v2/a/{id} request member removed list/*/old",
    "POST /v2/a/{id} request required removed list/*/kind",
    "POST /v2/a/{id} request member added list/*/young",
    "POST /v2/a/{id} request value removed list/*/kind A",
    "POST /v2/a/{id} request value added list/*/kind C",
  ]);
});

test("finds operations and query parameters; names of path parameters do not count", () => {
  const query = (name: string, required: boolean) => ({ parameters: [{ in: "query", name, required }] });
  const schema = {};
  expect(found(described(schema, { path: "/v2/a/{user-id}" }), described(schema))).toEqual([]);
  expect(found(described(schema, { path: "/v2/b" }), described(schema))).toEqual([
    "POST /v2/b operation operation removed",
    "POST /v2/a/{id} operation operation added",
  ]);
  expect(
    found(described(schema, { operation: query("x", false) }), described(schema, { operation: query("x", true) })),
  ).toEqual(["POST /v2/a/{id} query required added x"]);
});

test("a one-key wrapper equals alternatives of one member each", () => {
  const wrapper = { "x-one-key-wrapper": true, properties: { A: {}, B: {} } };
  const alternatives = { oneOf: ["A", "B"].map((name) => ({ required: [name], properties: { [name]: {} } })) };
  expect(found(described(wrapper), described(alternatives))).toEqual([]);
});

test("a schema without shown members differs in nothing", () => {
  expect(found(described({ type: "object" }), described({ properties: { a: {} } }))).toEqual([]);
});

test("ends on schemas and references that contain themselves", () => {
  const schema = {
    properties: {
      next: { $ref: "#/components/schemas/Body" },
      allOf: { allOf: [{ $ref: "#/components/schemas/Body" }] },
    },
  };
  const circle = { $ref: "#/components/schemas/Body" };
  const nested = { allOf: [{ $ref: "#/components/schemas/Body" }, { $ref: "#/components/schemas/Body" }] };
  expect(found(described(schema), described(schema))).toEqual([]);
  expect(found(described(schema), described(circle))).toEqual([]);
  expect(found(described(schema), described(nested))).toEqual([]);
});
