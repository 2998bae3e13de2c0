import type { Json, JsonObject } from "../../foundation/json/json.ts";

/** The members that are not undefined. */
export function withoutUndefined(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  const kept: Record<string, Json> = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) kept[name] = value;
  return kept;
}
