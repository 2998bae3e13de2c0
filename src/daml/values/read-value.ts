import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import type { DamlValue } from "../../foundation/protobuf/daml-value.ts";
import type { DataType } from "../packages/definitions.ts";
import { type LfField, type LfType, substituted } from "../packages/lf-type.ts";
import { argumentsOf, dataTypeOf, expanded, type PackageSet } from "../packages/package-set.ts";
import { readScalar, shown, textOf } from "./read-scalar.ts";
import { invalidJson, mistyped } from "./value-error.ts";

/** Nesting of values that a node accepts (Canton 3.5, Value.scala). */
const nestingMax = 100;

/** A place in the JSON, and what is known there. */
interface Place {
  readonly path: string;
  readonly depth: number;
  readonly packages: PackageSet;
  /** Whether null is a nested None too: the JSON is of a decoded value, which does not say how deep its None is. */
  readonly isOfValue: boolean;
}

/**
 * Reads a value of a Daml type from JSON, as a node does: numbers get the scale of their type, missing optional members are
 * None. Throws ValueError with the text of a node (Canton 3.5, JsonCodec.scala and ValueTranslator.scala).
 */
export function readValue(
  json: Json | undefined,
  type: LfType,
  packages: PackageSet,
  { isOfValue }: Pick<Place, "isOfValue"> = { isOfValue: false },
): DamlValue {
  return read(json ?? null, type, { path: "", depth: 0, packages, isOfValue });
}

/** Reads a record of these fields from JSON, as `readValue` does. */
export function readFields(json: Json, fields: readonly LfField[], { isOfValue }: Pick<Place, "isOfValue">): DamlValue {
  const place = { path: "", depth: 0, packages: { get: () => undefined }, isOfValue };
  return readRecord(members(json, place), fields, place);
}

function read(json: Json, type: LfType, place: Place): DamlValue {
  if (place.depth > nestingMax)
    throw mistyped(`Provided value exceeds maximum nesting level of ${nestingMax}`, place.path);
  const known = expanded(type, place.packages);
  if (known.type === "con") return readData(json, known, place);
  if (known.type !== "builtin") throw mistyped(`the type ${known.type} has no values in JSON`, place.path);
  const [first, second] = known.args;
  switch (known.name) {
    case "Optional":
      return readOptional(json, argument(first), place);
    case "List":
      return {
        type: "list",
        elements: elements(json, place).map((each, index) => readAt(each, first, place, `[${index}]`)),
      };
    case "TextMap":
      return { type: "text-map", entries: textEntries(members(json, place), first, place) };
    case "GenMap":
      return {
        type: "gen-map",
        entries: elements(json, place).map((each, index) => entry(each, [first, second], place, index)),
      };
    default:
      return readScalar(json, known.name, scaleOf(first), place.path);
  }
}

function readData(json: Json, { id, args }: Extract<LfType, { readonly type: "con" }>, place: Place): DamlValue {
  const data = dataTypeOf(id, place.packages);
  if (data === undefined) throw mistyped(`unknown type ${id}`, place.path);
  const types = argumentsOf(data.params, args);
  switch (data.shape.type) {
    case "record":
      return readRecord(members(json, place), fieldsWith(data.shape.fields, types), place);
    case "variant":
      return readVariant(json, fieldsWith(data.shape.fields, types), place);
    case "enum":
      return readEnum(json, data.shape.constructors, place);
    case "interface":
      throw mistyped(`the interface ${id} has no values`, place.path);
  }
}

function fieldsWith(
  fields: Extract<DataType["shape"], { readonly fields: unknown }>["fields"],
  types: ReadonlyMap<string, LfType>,
): readonly LfField[] {
  return fields.map(({ name, type }) => ({ name, type: substituted(type, types) }));
}

function readRecord(json: JsonObject, fields: readonly LfField[], place: Place): DamlValue {
  const missing = fields.filter(
    ({ name, type }) => !Object.hasOwn(json, name) && optionalOf(type, place) === undefined,
  );
  if (missing.length > 0)
    throw mistyped(
      `Missing non-optional fields: Set(${missing.map(({ name }) => name).join(", ")})`,
      place.path,
      "json-layer",
    );
  const names = new Set(fields.map(({ name }) => name));
  const unexpected = Object.keys(json).filter((name) => json[name] !== null && !names.has(name));
  if (unexpected.length > 0) throw invalidJson(`Unexpected fields: ${unexpected.join("")}`, place.path);
  return {
    type: "record",
    fields: fields.map(({ name, type }) => [name, readAt(memberOf(json, name), type, place, name)] as const),
  };
}

function readVariant(json: Json, constructors: readonly LfField[], place: Place): DamlValue {
  if (!isJsonObject(json) || !Object.hasOwn(json, "tag") || !Object.hasOwn(json, "value"))
    throw invalidJson("Variant type json must have 'tag' and 'value' fields.", place.path);
  const tag = textOf(json["tag"] ?? null, within(place, "tag").path);
  const found = constructors.find(({ name }) => name === tag);
  if (found === undefined) throw invalidJson(`Unexpected variant tag: ${tag}`, within(place, "tag").path);
  return { type: "variant", constructorName: tag, value: readAt(json["value"] ?? null, found.type, place, "value") };
}

function readEnum(json: Json, constructors: readonly string[], place: Place): DamlValue {
  const name = textOf(json, place.path);
  if (!constructors.includes(name)) throw invalidJson(`Unexpected case: ${name}`, place.path);
  return { type: "enum", constructorName: name };
}

/** An optional value: null or the value. One of another optional value is a list of at most one element, and so is the inner one. */
function readOptional(json: Json, inner: LfType, place: Place): DamlValue {
  if (optionalOf(inner, place) !== undefined) return readNested(json, inner, place);
  return { type: "optional", value: json === null ? undefined : readAt(json, inner, place, "") };
}

function readNested(json: Json, inner: LfType, place: Place): DamlValue {
  const [only] = json === null && place.isOfValue ? [] : elements(json, place);
  if (only === undefined) return { type: "optional", value: undefined, isNested: true };
  const [nested, own] = [optionalOf(inner, place), within(place, "[0]")];
  const value = nested === undefined ? read(only, inner, own) : readNested(only, nested, own);
  return { type: "optional", value, isNested: true };
}

/** The inner type of an optional one; undefined for another type. */
function optionalOf(type: LfType, { packages }: Place): LfType | undefined {
  const known = expanded(type, packages);
  return known.type === "builtin" && known.name === "Optional" ? known.args[0] : undefined;
}

function textEntries(
  json: JsonObject,
  type: LfType | undefined,
  place: Place,
): readonly (readonly [string, DamlValue])[] {
  return Object.keys(json)
    .sort((left, right) => (left < right ? -1 : 1))
    .map((key) => [key, readAt(memberOf(json, key), type, place, key)] as const);
}

function entry(
  json: Json,
  [keyType, valueType]: readonly [LfType | undefined, LfType | undefined],
  place: Place,
  index: number,
): readonly [DamlValue, DamlValue] {
  const own = within(place, `[${index}]`);
  const [key, value] = elements(json, own);
  if (key === undefined || value === undefined) throw invalidJson("an entry is not a pair", own.path);
  return [readAt(key, keyType, own, "[0]"), readAt(value, valueType, own, "[1]")];
}

function readAt(json: Json, type: LfType | undefined, place: Place, name: string): DamlValue {
  return read(json, argument(type), within(place, name));
}

function within({ path, depth, ...known }: Place, name: string): Place {
  const separator = path === "" || name === "" || name.startsWith("[") ? "" : ".";
  return { path: `${path}${separator}${name}`, depth: depth + 1, ...known };
}

function argument(type: LfType | undefined): LfType {
  if (type === undefined) throw new RangeError("a type lacks an argument");
  return type;
}

function scaleOf(type: LfType | undefined): number {
  return type?.type === "nat" ? type.value : 0;
}

function memberOf(json: JsonObject, name: string): Json {
  return Object.hasOwn(json, name) ? (json[name] ?? null) : null;
}

function elements(json: Json, { path }: Place): readonly Json[] {
  if (!Array.isArray(json)) throw invalidJson(`Expected ujson.Arr (data: ${shown(json)})`, path);
  return json;
}

function members(json: Json, { path }: Place): JsonObject {
  if (!isJsonObject(json)) throw invalidJson(`Expected ujson.Obj (data: ${shown(json)})`, path);
  return json;
}
