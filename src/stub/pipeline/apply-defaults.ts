import { digitsMax, isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import type { Shape } from "../../foundation/spec/shape.ts";

/**
 * Decodes a body like a node's own codec. Absent scalars and lists get defaults, null means an absent object, a string of
 * digits is an integer, and the alphabetically first key of a wrapper wins. Other values stay, for the schema to refuse.
 * Evidence: Canton 3.5, JSON body codec (source and tests).
 */
export function applyDefaults(shape: Shape, value: Json): Json {
  if (Array.isArray(value)) return value.map((entry) => applyDefaults(shape.items, entry));
  if (isJsonObject(value)) return shape.isOneKeyWrapper ? oneKey(shape, value) : relaxedMembers(shape, value);
  return shape.type === "integer" && typeof value === "string" && isInteger(value) ? BigInt(value) : value;
}

/** Longer texts are beyond int64 in any case, and take long to read. */
function isInteger(text: string): boolean {
  return text.length <= digitsMax && /^-?\d+$/.test(text);
}

function oneKey({ properties }: Shape, value: JsonObject): Json {
  const name = Object.keys(value)
    .filter((key) => properties.has(key))
    .sort()[0];
  const inner = properties.get(name ?? "");
  return name === undefined || inner === undefined ? value : { [name]: applyDefaults(inner, value[name] ?? null) };
}

function relaxedMembers(shape: Shape, value: JsonObject): JsonObject {
  const { hasDefaults, required } = shape;
  // A map of free names may have many members.
  if (shape.properties.size === 0) return value;
  const members: Record<string, Json> = { ...value };
  for (const [name, inner] of shape.properties) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const isOptional = !hasDefaults && !required.has(name) && !inner.isOneKeyWrapper;
    if (given === null && (inner.isMessage || isOptional)) delete members[name];
    else if (given !== undefined) members[name] = applyDefaults(inner, given);
    else if (hasDefaults && required.has(name)) setDefault(members, name, inner);
  }
  return members;
}

const defaults: Readonly<Record<string, Json>> = { string: "", boolean: false, integer: 0, array: [] };

function setDefault(members: Record<string, Json>, name: string, { isOneKeyWrapper, isEnum, type }: Shape): void {
  if (isOneKeyWrapper) members[name] = { Empty: {} };
  if (type !== undefined && !isEnum && Object.hasOwn(defaults, type)) members[name] = defaults[type] ?? null;
}
