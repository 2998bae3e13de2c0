import { isJsonObject, type Json, type JsonObject } from "../../src/foundation/json/json.ts";
import { listOf } from "../../src/foundation/json/members.ts";
import { memberObject, valueAt } from "../../src/foundation/spec/operation.ts";
import { below, isDrawn, oneOf, type Random } from "./_draw.ts";

/** Values near the limits of formats and lists, by type. */
const edges: Readonly<Record<string, readonly Json[]>> = {
  integer: [0, -0, -1, 1.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e19, 2n ** 62n, 2n ** 63n],
  string: ["", "a", "YQ=", "YQ", "2026-02-29T00:00:00Z", "2026-12-31T23:59:60Z", "2026-01-02T03:04:05+01:00"],
  array: [[], [null], ["a"], ["a", "b", "c"]],
  object: [{}, { "": null }, { a: { a: [] } }],
  other: [null, true],
};

const depthMax = 6;

/** Draws a value of a schema; a share of its parts is replaced, omitted or added. */
export function valueOfSchema(description: JsonObject, pointer: string, random: Random, alteredShare: number): Json {
  const draw = (given: Json, depth: number): Json => {
    const schema = resolved(description, given);
    const [{ enum: allowed, const: only }, type] = [schema, typeOf(schema, random)];
    if (isDrawn(random, alteredShare)) return altered(schema, type, random);
    if (only !== undefined) return only;
    if (Array.isArray(allowed)) return oneOf(random, allowed);
    if (type === "object") return members(schema, depth);
    if (type === "array") return elements(schema, depth);
    return scalars[type]?.(schema, random) ?? null;
  };
  const elements = ({ items = true, minItems = 0, maxItems = 3 }: JsonObject, depth: number) => {
    const more = depth < depthMax ? below(random, Number(maxItems) - Number(minItems) + 1) : 0;
    const isLonger = isDrawn(random, alteredShare);
    return Array.from({ length: Number(minItems) + more + (isLonger ? 1 : 0) }, () => draw(items, depth + 1));
  };
  const members = (schema: JsonObject, depth: number) => {
    const required = listOf(schema["required"]);
    const value: Record<string, Json> = {};
    for (const [name, inner] of Object.entries(memberObject(schema, "properties"))) {
      const isOmitted = isDrawn(random, required.includes(name) ? alteredShare : 0.3 + depth / depthMax);
      if (!isOmitted) value[name] = draw(inner, depth + 1);
    }
    const { additionalProperties = false, minProperties = 0 } = schema;
    const additional = additionalProperties === false ? Number(isDrawn(random, alteredShare)) : below(random, 3);
    for (let count = Math.max(additional, Number(minProperties)); count > 0; count -= 1)
      value[`more${count}`] = draw(additionalProperties, depth + 1);
    return value;
  };
  return draw(valueAt(description, pointer) ?? false, 0);
}

/** A value near the limits of the schema, or of another type. */
function altered({ minimum = 0, maximum = 0 }: JsonObject, type: string, random: Random): Json {
  if (isDrawn(random, 0.5)) return oneOf(random, Object.values(edges).flat());
  if (type === "integer" && isDrawn(random, 0.5)) return oneOf(random, [Number(minimum) - 1, Number(maximum) + 1]);
  return oneOf(random, edges[type] ?? [null]);
}

function resolved(description: JsonObject, schema: Json): JsonObject {
  if (!isJsonObject(schema)) return {};
  const { $ref: target } = schema;
  return typeof target === "string" ? resolved(description, valueAt(description, target.slice(1)) ?? {}) : schema;
}

function typeOf({ type, properties, additionalProperties }: JsonObject, random: Random): string {
  if (type !== undefined) return String(oneOf(random, [type].flat()));
  const isOpen = properties === undefined && additionalProperties === undefined;
  return isOpen ? oneOf(random, ["string", "integer", "object", "null"]) : "object";
}

const scalars: Readonly<Record<string, (schema: JsonObject, random: Random) => Json>> = {
  boolean: (_schema, random) => isDrawn(random, 0.5),
  integer: ({ maximum = 1000, minimum = 0 }, random) =>
    Number(minimum) + below(random, Number(maximum) - Number(minimum) + 1),
  number: (_schema, random) => random(),
  string: ({ format, contentEncoding }, random) => {
    if (format === "date-time") return oneOf(random, ["2026-01-02T03:04:05Z", "2028-02-29T23:59:59.123456Z"]);
    return contentEncoding === "base64" ? oneOf(random, ["", "YQ==", "YWI="]) : oneOf(random, ["", "a", "1220ab"]);
  },
};
