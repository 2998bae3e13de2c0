import { isJsonObject, type Json, type JsonObject } from "../json/json.ts";
import { listOf } from "../json/members.ts";
import { isIdentifier } from "./identifiers.ts";
import { memberObject, valueAt } from "./operation.ts";

/** Whether a value is valid; false too where only ajv can tell. */
export type Predicate = (value: Json) => boolean;
type PredicateOf = (schema: Json) => Predicate;

/** Keywords that state nothing about values. */
const annotations: ReadonlySet<string> = new Set(["description", "examples", "default"]);
const evaluated: ReadonlySet<string> = new Set([
  ...["type", "enum", "format", "contentEncoding", "minimum", "maximum", "items", "minItems", "maxItems"],
  ...["required", "properties", "additionalProperties", "minProperties", "maxProperties"],
]);
/** `int8` states nothing: ajv does not know it. */
const formats: ReadonlySet<Json | undefined> = new Set([undefined, "int8", "int32", "int64", "date-time"]);

/**
 * Predicates of the schemas of a description. Most values are valid, and ajv may take longer to compile a schema than the rest
 * of a first request takes. So the predicate accepts a value, and ajv validates what it does not accept: invalid values, and
 * those of schemas with other keywords.
 */
export function createPredicates(description: JsonObject): (schemaPointer: string) => Predicate {
  const known = new Map<JsonObject, Predicate>();
  const predicateOf: PredicateOf = (schema) => {
    if (!isJsonObject(schema)) return schema === true ? always : never;
    const target = hasOnly(schema, references) ? schema["$ref"] : undefined;
    if (typeof target === "string") return predicateOf(valueAt(description, target.slice(1)) ?? false);
    const predicate = known.get(schema) ?? createPredicate(schema, predicateOf);
    known.set(schema, predicate);
    return predicate;
  };
  return (pointer) => predicateOf(valueAt(description, pointer) ?? false);
}

const references: ReadonlySet<string> = new Set(["$ref"]);
const typeAlone: ReadonlySet<string> = new Set(["type"]);

/** Whether a schema has none but these keywords, and annotations. */
function hasOnly(schema: JsonObject, keywords: ReadonlySet<string>): boolean {
  return Object.keys(schema).every((name) => keywords.has(name) || annotations.has(name) || name.startsWith("x-"));
}

function createPredicate(schema: JsonObject, predicateOf: PredicateOf): Predicate {
  if (!hasOnly(schema, evaluated) || !formats.has(schema["format"])) return never;
  const isOfType = typePredicate(schema["type"]);
  if (hasOnly(schema, typeAlone)) return isOfType;
  const [isText, isNumber] = [textPredicate(schema), numberPredicate(schema)];
  const [isList, isObject] = [listPredicate(schema, predicateOf), objectPredicate(schema, predicateOf)];
  const isEnum = schema["enum"] !== undefined;
  return (value) => {
    if (!isOfType(value)) return false;
    if (typeof value === "string") return isText(value);
    if (isEnum) return false;
    if (typeof value === "number") return isNumber(value);
    if (isJsonObject(value)) return isObject(value);
    return !Array.isArray(value) || isList(value);
  };
}

const typePredicates: Readonly<Record<string, Predicate>> = {
  array: (value) => Array.isArray(value),
  boolean: (value) => typeof value === "boolean",
  integer: (value) => Number.isInteger(value),
  null: (value) => value === null,
  number: (value) => Number.isFinite(value),
  object: isJsonObject,
  string: (value) => typeof value === "string",
};

/** A schema has one type, several or none; a bigint has none of them. */
function typePredicate(type: Json | undefined): Predicate {
  if (type === undefined) return always;
  const predicates = [type].flat().map((name) => typePredicates[String(name)] ?? never);
  const [isFirst = never] = predicates;
  return predicates.length === 1 ? isFirst : (value) => predicates.some((isOfType) => isOfType(value));
}

function textPredicate({ enum: allowed, format, contentEncoding }: JsonObject): (text: string) => boolean {
  const isAllowed = Array.isArray(allowed) ? (text: string) => allowed.includes(text) : undefined;
  const isFormatted = format === "date-time" ? isDateTime : undefined;
  const isEncoded = contentEncoding === "base64" ? (text: string) => isIdentifier("base64", text) : undefined;
  const tests = [isAllowed, isFormatted, isEncoded].filter((test) => test !== undefined);
  return (text) => tests.every((test) => test(text));
}

const utcTimestamp = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;

/** Whether a timestamp has the usual form: UTC, without a leap second. */
function isDateTime(text: string): boolean {
  const date = utcTimestamp.exec(text)?.[1];
  if (date === undefined) return false;
  const ms = Date.parse(date);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}

function numberPredicate({ format, minimum, maximum }: JsonObject): (value: number) => boolean {
  const isFormatted = numberFormats.get(format) ?? always;
  if (minimum === undefined && maximum === undefined) return isFormatted;
  const [min, max] = [Number(minimum ?? Number.NEGATIVE_INFINITY), Number(maximum ?? Number.POSITIVE_INFINITY)];
  return (value) => min <= value && value <= max && isFormatted(value);
}

const numberFormats: ReadonlyMap<Json | undefined, (value: number) => boolean> = new Map([
  ["int32", (value: number) => (value | 0) === value],
  ["int64", Number.isSafeInteger],
]);

function listPredicate(schema: JsonObject, predicateOf: PredicateOf): (value: readonly Json[]) => boolean {
  const { items = true, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  const [min, max] = [Number(minItems), Number(maxItems)];
  let isElement: Predicate | undefined;
  return (value) => {
    isElement ??= predicateOf(items);
    if (value.length < min || value.length > max) return false;
    for (const element of value) if (!isElement(element)) return false;
    return true;
  };
}

interface Member {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isValid: Predicate;
}

function objectPredicate(schema: JsonObject, predicateOf: PredicateOf): (value: JsonObject) => boolean {
  const areOthersValid = additionalPredicate(schema, predicateOf);
  const isCounted = countPredicate(schema);
  let members: readonly Member[] | undefined;
  return (value) => {
    // Made at the first value, since schemas can be recursive.
    members ??= membersOf(schema, predicateOf);
    for (const { name, isRequired, isValid } of members) {
      const member = value[name];
      if (member === undefined ? isRequired : !isValid(member)) return false;
    }
    return isCounted(value) && areOthersValid(value);
  };
}

/** Members with a schema, and required ones. */
function membersOf(schema: JsonObject, predicateOf: PredicateOf): readonly Member[] {
  const properties = memberObject(schema, "properties");
  const required = new Set(listOf(schema["required"]).map(String));
  return [...new Set([...Object.keys(properties), ...required])].map((name) => ({
    name,
    isRequired: required.has(name),
    isValid: predicateOf(properties[name] ?? true),
  }));
}

function countPredicate({ minProperties = 0, maxProperties }: JsonObject): (value: JsonObject) => boolean {
  if (minProperties === 0 && maxProperties === undefined) return always;
  const max = maxProperties === undefined ? Number.POSITIVE_INFINITY : Number(maxProperties);
  return (value) => {
    const { length } = Object.keys(value);
    return length >= Number(minProperties) && length <= max;
  };
}

function additionalPredicate(schema: JsonObject, predicateOf: PredicateOf): (value: JsonObject) => boolean {
  const { additionalProperties = true } = schema;
  if (additionalProperties === true) return always;
  const named = new Set(Object.keys(memberObject(schema, "properties")));
  let isMember: Predicate | undefined;
  return (value) => {
    isMember ??= predicateOf(additionalProperties);
    for (const name in value) if (!named.has(name) && !isMember(value[name] ?? null)) return false;
    return true;
  };
}

function never(): boolean {
  return false;
}

function always(): boolean {
  return true;
}
