import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";

/** The value at this path of members; undefined if it is missing. */
export function memberAt(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  return valueAlong(value, path);
}

function valueAlong(value: Json | undefined, path: readonly string[]): Json | undefined {
  let found = value;
  for (const member of path) found = isJsonObject(found) ? found[member] : undefined;
  return found;
}

/** The string at this path of members; undefined if it is missing or of another type. */
export function textAt(value: Json | undefined, ...path: readonly string[]): string | undefined {
  const found = valueAlong(value, path);
  return typeof found === "string" ? found : undefined;
}

/** The array at this path of members; empty if it is missing or of another type. */
export function listAt(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = valueAlong(value, path);
  return Array.isArray(found) ? found : [];
}

export function objectAt(value: Json | undefined, ...path: readonly string[]): JsonObject | undefined {
  const found = valueAlong(value, path);
  return isJsonObject(found) ? found : undefined;
}
