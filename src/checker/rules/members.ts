import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";

/** The value below these members; undefined where there is none. */
export function memberAt(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let found = value;
  for (const member of path) found = isJsonObject(found) ? found[member] : undefined;
  return found;
}

/** The text below these members; undefined where there is another value. */
export function textAt(value: Json | undefined, ...path: readonly string[]): string | undefined {
  const found = memberAt(value, ...path);
  return typeof found === "string" ? found : undefined;
}

/** The list below these members; empty where there is none. */
export function listAt(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = memberAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function objectAt(value: Json | undefined, ...path: readonly string[]): JsonObject | undefined {
  const found = memberAt(value, ...path);
  return isJsonObject(found) ? found : undefined;
}
