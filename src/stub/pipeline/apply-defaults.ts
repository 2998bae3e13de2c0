import { digitsMax, isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import type { Shape } from "../../foundation/spec/shape.ts";

/**
 * Decodes a body like a node's own codec. Absent scalars and lists get defaults, null means an absent object, a string of
 * digits is an integer, and the alphabetically first key of a wrapper wins. Other values stay, for the schema to refuse. A
 * value that does not change is returned as is. Evidence: Canton 3.5, JSON body codec (source and tests).
 */
export function applyDefaults(shape: Shape, value: Json): Json {
  if (Array.isArray(value)) return decodedElements(shape.items, value);
  if (isJsonObject(value)) return shape.isOneKeyWrapper ? oneKey(shape, value) : decodedMembers(shape, value);
  return shape.type === "integer" && typeof value === "string" && isInteger(value) ? BigInt(value) : value;
}

/** Longer texts are beyond int64 in any case, and take long to read. */
function isInteger(text: string): boolean {
  return text.length <= digitsMax && /^-?\d+$/.test(text);
}

function decodedElements(shape: Shape, list: readonly Json[]): readonly Json[] {
  const decoded = list.map((element) => applyDefaults(shape, element));
  return decoded.every((element, index) => element === list[index]) ? list : decoded;
}

function oneKey({ properties }: Shape, value: JsonObject): Json {
  const keys = Object.keys(value);
  const name = keys.filter((key) => properties.has(key)).sort()[0];
  const inner = properties.get(name ?? "");
  if (name === undefined || inner === undefined) return value;
  const given = value[name] ?? null;
  const decoded = applyDefaults(inner, given);
  return decoded === given && keys.length === 1 ? value : { [name]: decoded };
}

function decodedMembers(shape: Shape, value: JsonObject): JsonObject {
  let members: Record<string, Json> | undefined;
  for (const { name, shape: inner } of shape.members) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const decoded = given === undefined ? defaultOf(shape, name, inner) : decodedMember(shape, name, inner, given);
    if (decoded === given) continue;
    members ??= { ...value };
    if (decoded === undefined) delete members[name];
    else members[name] = decoded;
  }
  return members ?? value;
}

/** Undefined for a null that means an absent member. */
function decodedMember({ hasDefaults, required }: Shape, name: string, inner: Shape, given: Json): Json | undefined {
  const isOptional = !hasDefaults && !required.has(name) && !inner.isOneKeyWrapper;
  return given === null && (inner.isMessage || isOptional) ? undefined : applyDefaults(inner, given);
}

const defaults: ReadonlyMap<string | undefined, Json> = new Map<string, Json>([
  ["string", ""],
  ["boolean", false],
  ["integer", 0],
  ["array", []],
]);

/** The default of an absent member; undefined if it has none. */
function defaultOf({ hasDefaults, required }: Shape, name: string, inner: Shape): Json | undefined {
  if (!hasDefaults || !required.has(name)) return undefined;
  if (inner.isOneKeyWrapper) return { Empty: {} };
  return inner.isEnum ? undefined : defaults.get(inner.type);
}
