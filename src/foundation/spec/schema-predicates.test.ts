import { expect, test } from "vitest";
import type { Json, JsonObject } from "../json/json.ts";
import { createPredicates } from "./schema-predicates.ts";
import { createValidator } from "./validator.ts";

const values: readonly Json[] = [
  ...[null, true, false, 0, -0, 1, -1, 1.5, 1e19, -1e19, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, 2 ** 53, 7n],
  ...["", "a", "b", "YQ==", "YQ=", "YQ", "1", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.123456Z"],
  ...["2026-02-29T00:00:00Z", "2028-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-00T00:00:00Z"],
  ...["2026-01-02T24:00:00Z", "2026-12-31T23:59:60Z", "2026-01-02T03:04:05", "2026-01-02", "0000-01-01T00:00:00Z"],
  ...[[], ["a"], ["a", "a"], [1], [null], [[]], [{}]],
  ...[
    {},
    { a: "a" },
    { a: 1 },
    { b: "b" },
    { a: "a", b: "b" },
    { a: null },
    { a: { a: {} } },
    { a: { a: 1 } },
    { c: [] },
  ],
];

const schemas: readonly JsonObject[] = [
  {},
  ...["string", "integer", "number", "boolean", "null", "array", "object"].map((type) => ({ type })),
  ...["string", "integer", "boolean", "object"].map((type) => ({ type: [type, "null"] })),
  { type: ["string", "number"] },
  { type: ["object", "array"] },
  { type: ["null", "integer", "array"] },
  { enum: ["a", "b"] },
  { type: ["string", "null"], enum: ["a", "b"] },
  { type: "integer", format: "int32" },
  { type: ["integer", "null"], format: "int64" },
  { type: "string", format: "date-time" },
  { type: "string", contentEncoding: "base64" },
  { type: "string", contentEncoding: "base64", enum: ["a", "YQ=="] },
  { type: "array", items: { type: "string" }, minItems: 1 },
  { type: "array", maxItems: 1 },
  { type: "array", items: false },
  { type: "object", required: ["a"], properties: { a: { type: "string" } }, additionalProperties: false },
  { required: ["b"], properties: { a: { type: "string" } } },
  { type: "object", additionalProperties: { type: "string" }, minProperties: 1, maxProperties: 1 },
  { type: "object", properties: { a: { $ref: "#/schema" } }, additionalProperties: false },
  { $ref: "#/other" },
  { $ref: "#/other", maxProperties: 0 },
  { type: "integer", minimum: 1 },
  { type: ["number", "null"], minimum: -1, maximum: 1 },
  { type: "integer", format: "int8" },
];

/** Values that the predicate leaves to ajv although they are valid. */
const left: readonly Json[] = [2 ** 53, 7n, "2026-12-31T23:59:60Z"];

/** An unknown keyword leaves all values to ajv. */
const byAjv = (schema: JsonObject) => createValidator({ schema: { ...schema, title: "" }, other: { type: "object" } });

test.each(schemas)("accepts valid values of %j, and no value that ajv refuses", (schema) => {
  const accepts = createPredicates({ schema, other: { type: "object" } })("/schema");
  const validate = byAjv(schema);
  const accepted = values.filter(accepts);
  const valid = values.filter((value) => validate("/schema", value).length === 0);
  expect(accepted.filter((value) => !valid.includes(value))).toEqual([]);
  const isEvaluated = !("$ref" in schema) || Object.keys(schema).length === 1;
  if (isEvaluated) expect(valid.filter((value) => !accepted.includes(value) && !left.includes(value))).toEqual([]);
});

test("leaves to ajv what has an unknown schema or keyword, anywhere", () => {
  const description = { odd: { type: "object", properties: { a: { pattern: "a" } } }, none: { $ref: "#/missing" } };
  const predicateAt = createPredicates(description);
  expect([{}, { a: "a" }].map(predicateAt("/odd"))).toEqual([true, false]);
  expect([predicateAt("/none")({}), predicateAt("/absent")({})]).toEqual([false, false]);
});
