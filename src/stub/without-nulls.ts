import { isJsonObject, type Json, type JsonObject } from "../http/json.ts";
import { memberObject } from "../spec/operation.ts";
import { resolved } from "./relaxed-body.ts";

/** The value without those members that the schema names and that are null; free-form data stays whole. */
export function withoutNulls(description: JsonObject, schema: JsonObject, value: Json): Json {
  const shape = resolved(description, schema);
  if (Array.isArray(value)) return value.map((entry) => withoutNulls(description, memberObject(shape, "items"), entry));
  if (!isJsonObject(value)) return value;
  const properties = memberObject(shape, "properties");
  const kept = Object.entries(value).filter(([name, inner]) => inner !== null || !Object.hasOwn(properties, name));
  return Object.fromEntries(
    kept.map(([name, inner]) => [name, withoutNulls(description, memberObject(properties, name), inner)]),
  );
}
