import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { memberObject, segmentsOf, valueAt } from "../../foundation/spec/operation.ts";

/** The schema at a pointer of a description, with its reference resolved. */
export function schemaAt(description: JsonObject, pointer: string): JsonObject {
  return resolved(description, valueAt(description, pointer));
}

/** A schema with its references resolved. Members beside a reference override those of its target. */
export function resolved(description: JsonObject, schema: Json | undefined): JsonObject {
  if (!isJsonObject(schema)) return {};
  const { $ref, ...beside } = schema;
  if (typeof $ref !== "string") return schema;
  return { ...schemaAt(description, $ref.slice(1)), ...beside };
}

/** The JSON types that a schema allows; undefined if it allows any. */
export function typesOf(schema: JsonObject): readonly string[] | undefined {
  const { type } = schema;
  if (typeof type === "string") return [type];
  return Array.isArray(type) ? type.map(String) : undefined;
}

/** Names of the members of a schema; undefined if it allows any. */
export function shownMembers(schema: JsonObject): readonly string[] | undefined {
  const names = Object.keys(memberObject(schema, "properties"));
  if (schema["x-not-shown"] === true || isJsonObject(schema["additionalProperties"])) return undefined;
  return names.length === 0 && schema["additionalProperties"] !== false ? undefined : names;
}

/** Schema of a member; undefined if the schema does not list it. Inherited members such as `constructor` do not count. */
export function memberSchema(schema: JsonObject, name: string): Json | undefined {
  const properties = memberObject(schema, "properties");
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

export function isRequired(schema: JsonObject, name: string): boolean {
  const { required } = schema;
  return Array.isArray(required) && required.includes(name);
}

/** The media type in the pointer of a message's schema. */
export function contentTypeOf(schemaPointer: string): string {
  return segmentsOf(schemaPointer).at(-2) ?? "";
}
