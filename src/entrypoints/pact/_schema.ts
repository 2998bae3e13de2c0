import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { memberObject, valueAt } from "../../foundation/spec/operation.ts";

/** The schema at a pointer of a description, its reference followed. */
export function schemaAt(description: JsonObject, pointer: string): JsonObject {
  return resolved(description, valueAt(description, pointer));
}

/** A schema with its references followed; what stands beside a reference counts as well. */
export function resolved(description: JsonObject, schema: Json | undefined): JsonObject {
  if (!isJsonObject(schema)) return {};
  const { $ref, ...beside } = schema;
  if (typeof $ref !== "string") return schema;
  return { ...schemaAt(description, $ref.slice(1)), ...beside };
}

/** The JSON types that a schema allows; undefined where it allows any. */
export function typesOf(schema: JsonObject): readonly string[] | undefined {
  const { type } = schema;
  if (typeof type === "string") return [type];
  return Array.isArray(type) ? type.map(String) : undefined;
}

/** The names of the members that a schema shows; undefined where it leaves them open. */
export function shownMembers(schema: JsonObject): readonly string[] | undefined {
  const names = Object.keys(memberObject(schema, "properties"));
  if (schema["x-not-shown"] === true || isJsonObject(schema["additionalProperties"])) return undefined;
  return names.length === 0 && schema["additionalProperties"] !== false ? undefined : names;
}

/** The schema of a member; undefined where the schema does not show it. What every object has by itself is not shown. */
export function memberSchema(schema: JsonObject, name: string): Json | undefined {
  const properties = memberObject(schema, "properties");
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

export function isRequired(schema: JsonObject, name: string): boolean {
  const { required } = schema;
  return Array.isArray(required) && required.includes(name);
}

/** The media type that stands in the pointer of a message's schema. */
export function contentTypeOf(schemaPointer: string): string {
  return (schemaPointer.split("/").at(-2) ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
}
