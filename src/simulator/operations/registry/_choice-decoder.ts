import { formatJson, isJsonObject, type Json } from "../../../foundation/json/json.ts";
import { isInstant } from "../../../foundation/protobuf/instant.ts";

// The decoder of `choiceArguments` in the Amulet registry (Splice 0.7, JsonLfDecoders.java and JsonLfReader.java of Canton).

/** Decodes a value; the problem, or undefined for a value of the type. */
export type Check = (value: Json) => string | undefined;

/** The types of a choice whose `extraArgs` and `meta` are exact, or may omit `values`. */
export interface ChoiceForms {
  readonly exact: Check;
  readonly tolerant: Check;
}

/** The types that contain text maps and values of the standard. */
export interface MetadataTypes {
  readonly meta: Check;
  readonly extraArgs: Check;
}

/** Both forms of a choice. */
export function choiceForms(typeOf: (types: MetadataTypes) => Check): ChoiceForms {
  return { exact: typeOf(metadataTypes([])), tolerant: typeOf(metadataTypes(["values"])) };
}

function metadataTypes(optional: readonly string[]): MetadataTypes {
  const context = record({ values: mapOf(anyValue) }, optional);
  const meta = record({ values: mapOf(text) }, optional);
  return { meta, extraArgs: record({ context, meta }, []) };
}

/** The text of the 400 for arguments that are not of a choice; undefined for valid arguments. */
export function choiceProblem(choice: string, check: Check, choiceArguments: Json): string | undefined {
  const problem = check(choiceArguments);
  return problem === undefined
    ? undefined
    : `Field \`choiceArguments\` does not contain a valid \`${choice}\`: com.daml.ledger.javaapi.data.codegen.json.JsonLfDecoder$Error: ${problem} at line: 1, column: ${columnOf(choiceArguments)}`;
}

/** The column in an error message: the end of the compacted text. */
function columnOf(value: Json): number {
  return formatJson(value).length;
}

export const text: Check = (value) => (typeof value === "string" ? undefined : expected("string", value));
export const boolean: Check = (value) => (typeof value === "boolean" ? undefined : expected("boolean", value));
export const decimal: Check = checkDecimal;
export const timestamp: Check = (value) =>
  typeof value === "string" && isInstant(value) ? undefined : expected("valid ISO 8601 date and time in UTC", value);
export const account: Check = record({ owner: optional(text), provider: optional(text), id: text }, [
  "owner",
  "provider",
]);
const anyValueTags: ReadonlySet<string> = new Set(
  ["Text", "Int", "Decimal", "Bool", "Date", "Time", "RelTime", "Party", "ContractId", "List", "Map"].map(
    (tag) => `AV_${tag}`,
  ),
);

/** Null, or a value of the type. */
export function optional(check: Check): Check {
  return (value) => (value === null ? undefined : check(value));
}

/** A constructor of an enumeration. */
export function oneOf(...constructors: readonly string[]): Check {
  return (value) =>
    typeof value === "string" && constructors.includes(value) ? undefined : expected("a known constructor", value);
}

export function mapOf(check: Check): Check {
  return (value) => (isJsonObject(value) ? firstProblem(check, Object.values(value)) : expected("object", value));
}

/** A variant of the standard: a known tag and a value. The value is not checked; the ledger checks it. */
function anyValue(value: Json): string | undefined {
  if (!isJsonObject(value)) return expected("object", value);
  const surplus = Object.keys(value).find((name) => name !== "tag" && name !== "value");
  if (surplus !== undefined) return `Unknown field ${surplus} (known fields are [tag, value])`;
  const { tag } = { tag: value["tag"] };
  if (typeof tag !== "string" || !anyValueTags.has(tag)) return expected("a known constructor", tag ?? null);
  return Object.hasOwn(value, "value") ? undefined : "Missing field value";
}

/** An object, or a list of all members in their order. */
export function record(members: Readonly<Record<string, Check>>, optional: readonly string[]): Check {
  const checks = new Map(Object.entries(members));
  const names = [...checks.keys()];
  return (value) => {
    if (Array.isArray(value)) return positional([...checks.values()], value);
    if (!isJsonObject(value)) return expected("object or array", value);
    let known = 0;
    for (const name in value) {
      const inner = value[name] ?? null;
      const check = checks.get(name);
      if (check === undefined && inner !== null)
        return `Unknown field ${name} (known fields are [${names.join(", ")}])`;
      const problem = check?.(inner);
      if (problem !== undefined) return problem;
      if (check !== undefined) known += 1;
    }
    if (known === names.length) return undefined;
    const missing = names.find((name) => !Object.hasOwn(value, name) && !optional.includes(name));
    return missing === undefined ? undefined : `Missing field ${missing}`;
  };
}

function positional(checks: readonly Check[], values: readonly Json[]): string | undefined {
  if (values.length !== checks.length) return expected(`array of ${checks.length}`, [...values]);
  return checks.map((check, index) => check(values[index] ?? null)).find((problem) => problem !== undefined);
}

export function listOf(check: Check): Check {
  return (value) => (Array.isArray(value) ? firstProblem(check, value) : expected("array", value));
}

function firstProblem(check: Check, values: readonly Json[]): string | undefined {
  for (const value of values) {
    const problem = check(value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** A decimal as string or number, below 10^28 in size. */
function checkDecimal(value: Json): string | undefined {
  const shown =
    typeof value === "string"
      ? value
      : typeof value === "number" || typeof value === "bigint"
        ? String(value)
        : undefined;
  if (shown === undefined || !/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,9})?$/.test(shown))
    return expected("numeric", value);
  return Math.abs(Number(shown)) < 1e28 ? undefined : expected("numeric in range (-10^28, 10^28)", value);
}

function expected(what: string, value: Json): string {
  return `Expected ${what} but was ${typeof value === "string" ? value : formatJson(value)}`;
}

/** A member by name, or by position if the record is a list. */
export function memberOf(value: Json, name: string, place: number): Json {
  if (Array.isArray(value)) return value[place] ?? null;
  return isJsonObject(value) ? (value[name] ?? null) : null;
}
