import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import type { Shape } from "../../foundation/spec/shape.ts";

/** Removes null members that the schema names. Free-form data is unchanged. A value without such members is returned as is. */
export function omitNulls(shape: Shape, value: Json): Json {
  return hasNulls(shape, value) ? withoutNulls(shape, value) : value;
}

/** Whether a value has null members that the schema names. Most values have none. */
function hasNulls({ properties, items }: Shape, value: Json): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (!isJsonObject(value)) return hasElementWithNulls(items, value);
  if (properties.size === 0) return false;
  for (const name in value) {
    const shape = properties.get(name);
    const inner = value[name] ?? null;
    if (shape !== undefined && (inner === null || hasNulls(shape, inner))) return true;
  }
  return false;
}

function hasElementWithNulls(shape: Shape, list: readonly Json[]): boolean {
  for (const element of list) if (hasNulls(shape, element)) return true;
  return false;
}

function withoutNulls(shape: Shape, value: Json): Json {
  if (Array.isArray(value)) return value.map((entry) => withoutNulls(shape.items, entry));
  return isJsonObject(value) ? withoutNullMembers(shape, value) : value;
}

function withoutNullMembers({ properties }: Shape, value: JsonObject): JsonObject {
  if (properties.size === 0) return value;
  const kept: [string, Json][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const shape = properties.get(name);
    if (shape === undefined) kept.push([name, inner]);
    else if (inner !== null) kept.push([name, withoutNulls(shape, inner)]);
  }
  return Object.fromEntries(kept);
}
