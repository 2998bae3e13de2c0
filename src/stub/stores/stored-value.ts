import { digitsMax, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { isTable, tableOf } from "../../foundation/table/table.ts";
import { base64OfBytes, bytesOfBase64 } from "../../foundation/text/base64.ts";
import { type Grant, Rights } from "../../simulator/ledger/rights.ts";

/**
 * The JSON under which a store keeps a value of a world. What JSON does not have is an object with one member whose name
 * begins with `$`: `$bigint`, `$number`, `$bytes`, `$undefined`, `$map`, `$set`, `$table` and `$rights`. An object of the world
 * with such a name is `$object`, a list of its members. Members without a value are omitted.
 */
export function storedValue(value: unknown): Json {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : { $number: String(value) };
    case "bigint":
      return { $bigint: value.toString() };
    case "undefined":
      return { $undefined: true };
    default:
      return value === null ? null : storedObject(value);
  }
}

function storedObject(value: unknown): Json {
  if (Array.isArray(value)) return value.map(storedValue);
  if (value instanceof Rights) return { $rights: storedRows(value.grants.entries()) };
  if (isTable(value)) return { $table: storedRows(value.entries()) };
  if (value instanceof Map) return { $map: storedRows(value) };
  if (value instanceof Set) return { $set: [...value].map(storedValue) };
  if (value instanceof Uint8Array) return { $bytes: base64OfBytes(value) };
  if (!isPlainObject(value)) throw new Error(`invariant: a store does not know values such as ${String(value)}`);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return members.some(([name]) => name.startsWith("$"))
    ? { $object: storedRows(members) }
    : Object.fromEntries(members.map(([name, member]) => [name, storedValue(member)]));
}

function storedRows(rows: Iterable<readonly [unknown, unknown]>): Json {
  return Array.from(rows, ([key, row]) => [storedValue(key), storedValue(row)]);
}

/** Whether a value is an object of members alone. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The value of a stored JSON. Throws an Error for JSON that `storedValue` does not write. */
export function restoredValue(stored: Json): unknown {
  if (Array.isArray(stored)) return stored.map(restoredValue);
  if (!isMembers(stored)) return stored;
  const names = Object.keys(stored);
  const [name = ""] = names;
  if (names.length === 1 && name.startsWith("$")) return restoredForm(name, stored[name] ?? null);
  return Object.fromEntries(names.map((member) => [member, restoredValue(stored[member] ?? null)]));
}

function restoredForm(name: string, content: Json): unknown {
  switch (name) {
    case "$bigint":
      return String(content).length > digitsMax ? unreadable(name) : BigInt(String(content));
    case "$number":
      return Number(content);
    case "$bytes":
      return bytesOfBase64(String(content)) ?? unreadable(name);
    case "$undefined":
      return undefined;
    case "$map":
      return new Map(restoredRows(content));
    case "$set":
      return new Set(restoredRows(content, (each) => each));
    default:
      return restoredTable(name, content);
  }
}

function restoredTable(name: string, content: Json): unknown {
  const rows = restoredRows(content);
  switch (name) {
    case "$table":
      return tableOf(rows.map(([key, row]) => [String(key), row]));
    case "$rights":
      return Rights.granted(
        tableOf(rows.map(([key, grant]) => [String(key), isGrant(grant) ? grant : unreadable(name)])),
      );
    case "$object":
      return Object.fromEntries(rows.map(([key, member]) => [String(key), member]));
    default:
      return unreadable(name);
  }
}

function restoredRows(content: Json): readonly (readonly [unknown, unknown])[];
function restoredRows(content: Json, rowOf: (each: unknown) => unknown): readonly unknown[];
function restoredRows(content: Json, rowOf: (each: unknown) => unknown = pairOf): readonly unknown[] {
  return Array.isArray(content) ? content.map((each) => rowOf(restoredValue(each))) : unreadable("a list");
}

function pairOf(row: unknown): readonly unknown[] {
  return Array.isArray(row) && row.length === 2 ? row : unreadable("a row");
}

/** Whether a restored value has the members of a grant. */
export function isGrant(value: unknown): value is Grant {
  return isPlainObject(value) && typeof value["number"] === "number" && isPlainObject(value["right"]);
}

function isMembers(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unreadable(name: string): never {
  throw new Error(`a stored value is not readable: ${name}`);
}
