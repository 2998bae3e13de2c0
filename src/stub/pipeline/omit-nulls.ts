import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import type { Shape } from "../../foundation/spec/shape.ts";

/** Removes null members that the schema names. Free-form data is unchanged. A value without such members is returned as is. */
export function omitNulls(shape: Shape, value: Json): Json {
  if (Array.isArray(value)) return value.map((entry) => omitNulls(shape.items, entry));
  return isJsonObject(value) ? withoutNullMembers(shape, value) : value;
}

function withoutNullMembers({ properties }: Shape, value: JsonObject): JsonObject {
  if (properties.size === 0) return value;
  let isSame = true;
  const kept: [string, Json][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const shape = properties.get(name);
    if (shape !== undefined && inner === null) {
      isSame = false;
      continue;
    }
    const shown = shape === undefined ? inner : omitNulls(shape, inner);
    if (shown !== inner) isSame = false;
    kept.push([name, shown]);
  }
  return isSame ? value : Object.fromEntries(kept);
}
