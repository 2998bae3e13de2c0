import { exceededBound, type JsonBounds } from "./json-bounds.ts";

/** A JSON value. Integers outside the range that a double holds exactly are bigint. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;
/** A JSON object, by its members. */
export interface JsonObject {
  readonly [member: string]: Json;
}

declare global {
  interface JSON {
    rawJSON(text: string): unknown;
  }
}

/** Integers that a double may round. In a string, the same characters cost only time. */
const longInteger = /[[:,\s]-?\d{16}/;
const isLongInteger = /^-?\d{16}/;
const integer = /^-?\d+$/;

/** Maximum nesting of parsed JSON; later code walks values by recursion. */
export const nestingMax = 1000;

/** Maximum length of a parsed integer: the time to read one grows faster than its length. An int64 has 19 digits, a decimal 38. */
export const digitsMax = 1000;

/** Text that exceeds a bound of parsed JSON. */
export class BeyondJsonBounds extends SyntaxError {
  readonly bound: keyof JsonBounds;

  constructor(bound: keyof JsonBounds, message: string) {
    super(message);
    this.bound = bound;
  }
}

/**
 * Parses JSON text. Integers beyond 2^53 become bigint, so that they are not rounded. Throws SyntaxError, and BeyondJsonBounds
 * for a text that exceeds a bound. Without bounds of its own, nesting and integers are limited.
 */
export function parseJson(text: string, bounds?: JsonBounds): Json {
  if (bounds === undefined) checkNesting(text);
  else {
    const bound = exceededBound(text, bounds);
    if (bound !== undefined) throw new BeyondJsonBounds(bound, problemWith(bound, bounds));
  }
  return longInteger.test(text) || isLongInteger.test(text) ? JSON.parse(text, keepLongInteger) : JSON.parse(text);
}

const onlyNesting: JsonBounds = {
  nestingMax,
  jsonValuesMax: Number.POSITIVE_INFINITY,
  numberLengthMax: Number.POSITIVE_INFINITY,
};

function checkNesting(text: string): void {
  const bound = exceededBound(text, onlyNesting);
  if (bound !== undefined) throw new BeyondJsonBounds(bound, problemWith(bound, onlyNesting));
}

function problemWith(bound: keyof JsonBounds, bounds: JsonBounds): string {
  switch (bound) {
    case "nestingMax":
      return `the value is nested deeper than ${bounds.nestingMax} levels`;
    case "jsonValuesMax":
      return `the value has more than ${bounds.jsonValuesMax} members and elements`;
    case "numberLengthMax":
      return `a number is longer than ${bounds.numberLengthMax} characters`;
  }
}

function keepLongInteger(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? "";
  if (!integer.test(source)) return value;
  if (source.length > digitsMax)
    throw new BeyondJsonBounds("numberLengthMax", `a number is longer than ${digitsMax} characters`);
  return BigInt(source);
}

/** An integer as JSON: a number if a double holds it exactly, which takes a tenth of the time to write. */
export function jsonOfInteger(integer: bigint): number | bigint {
  const value = Number(integer);
  return Number.isSafeInteger(value) ? value : integer;
}

/** Compact JSON text; a bigint is written as an integer. */
export function formatJson(value: Json, indent?: number): string {
  if (typeof value === "bigint") return value.toString();
  try {
    // Without a replacer, which is several times slower. Throws for a bigint.
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, writeLongInteger, indent);
  }
}

/** A string as it is, a list joined by commas, anything else as JSON. `String` would fail for a member called `toString`. */
export function textOfJson(value: Json): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.map(textOfJson).join(",") : formatJson(value);
}

/** A replacer for JSON.stringify that writes bigints as integers. */
export function writeLongInteger(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? JSON.rawJSON(value.toString()) : value;
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const beginning = /^[ \n\r\t]*[[{"\dtfn-]/;

/** The JSON value of a text; undefined for invalid JSON, and for a text that exceeds a bound. */
export function jsonOf(text: string, bounds?: JsonBounds): Json | undefined {
  return valueIn(text, () => parseJson(text, bounds));
}

/** As `jsonOf`, in less time: integers beyond 2^53 are rounded. For readers of texts and names alone. */
export function jsonWithRoundedIntegers(text: string): Json | undefined {
  return valueIn(text, () => {
    checkNesting(text);
    return JSON.parse(text);
  });
}

function valueIn(text: string, parse: () => Json): Json | undefined {
  // Creating an error is slower than reading a small value.
  if (!beginning.test(text)) return undefined;
  try {
    return parse();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether two values are the same, whatever the order of their members. */
export function isSameJson(left: Json | undefined, right: Json | undefined): boolean {
  if (typeof left !== "object" || typeof right !== "object") return left === right || isSameNumber(left, right);
  if (Array.isArray(left) && Array.isArray(right)) {
    if (left.length !== right.length) return false;
    for (const [index, element] of left.entries()) if (!isSameJson(element, right[index])) return false;
    return true;
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return left === right || isSameNumber(left, right);
  let more = 0;
  for (const name in left) {
    if (!Object.hasOwn(right, name) || !isSameJson(left[name], right[name])) return false;
    more += 1;
  }
  for (const _ in right) more -= 1;
  return more === 0;
}

function isSameNumber(left: Json | undefined, right: Json | undefined): boolean {
  const isNumber = (value: Json | undefined) => typeof value === "number" || typeof value === "bigint";
  return isNumber(left) && isNumber(right) && String(left) === String(right);
}
