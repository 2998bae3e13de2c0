import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { memberObject, valueAt } from "../../foundation/spec/operation.ts";

/** The library's format for an identifier syntax. */
export function formatOf(identifier: string): string {
  return `understudy-${identifier}`;
}

/** Schema keywords that the library supports; it would turn others into members. */
const understood = [
  "type",
  "enum",
  "const",
  "minimum",
  "maximum",
  "pattern",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "uniqueItems",
  "required",
  "minProperties",
  "maxProperties",
] as const;

/** A schema with its references followed. */
export function followed(description: JsonObject, schema: JsonObject): JsonObject {
  const reference = schema["$ref"];
  if (typeof reference !== "string") return schema;
  const target = valueAt(description, reference.slice(1));
  return isJsonObject(target) ? followed(description, target) : {};
}

/**
 * A self-contained schema: without references, with formats for identifiers, and a one-key wrapper as one
 * of several objects, since the library may omit all members of a wrapper.
 */
export function standalone(description: JsonObject, given: JsonObject): JsonObject {
  const schema = followed(description, given);
  const properties = Object.entries(memberObject(schema, "properties")).map(
    ([name, inner]) => [name, standalone(description, isJsonObject(inner) ? inner : {})] as const,
  );
  if (schema["x-one-key-wrapper"] === true)
    return {
      oneOf: properties.map(([name, inner]) => ({
        type: "object",
        required: [name],
        additionalProperties: false,
        properties: { [name]: inner },
      })),
    };
  const kept = understood.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]] as const]));
  const items = isJsonObject(schema["items"]) ? { items: standalone(description, schema["items"]) } : {};
  const isObject = schema["type"] === "object";
  return {
    ...Object.fromEntries<Json>(kept),
    ...formatted(schema),
    ...items,
    ...(isObject ? { properties: Object.fromEntries<Json>(properties), additionalProperties: false } : {}),
  };
}

function formatted(schema: JsonObject): JsonObject {
  const identifier = schema["x-identifier"];
  if (typeof identifier === "string") return { format: formatOf(identifier) };
  return schema["format"] === "date-time" ? { format: "date-time" } : {};
}

/** The schema with a new schema for the member at a path; the member becomes required. */
export function withMember(schema: JsonObject, path: readonly string[], member: JsonObject): JsonObject {
  const [name, ...rest] = path;
  if (name === undefined) return member;
  const properties = memberObject(schema, "properties");
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return {
    ...schema,
    required: [...new Set([...required, name])],
    properties: { ...properties, [name]: withMember(memberObject(properties, name), rest, member) },
  };
}
