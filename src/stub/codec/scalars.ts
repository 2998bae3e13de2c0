import { digitsMax } from "../../foundation/json/json.ts";
import { isIdentifier } from "../../foundation/spec/identifiers.ts";
import type { Decoder } from "./decoder.ts";
import { DecodingFailure, wrongType } from "./decoding-failure.ts";
import { readInstant } from "./instant.ts";
import { NumberText, type Parsed } from "./parsed.ts";

// Decoders of values without members. Source of the rules: observations of the codec of Canton 3.5.

export const decodeString: Decoder = (value) => (typeof value === "string" ? value : wrongType(value, "string"));

export const decodeBoolean: Decoder = (value) =>
  typeof value === "boolean" ? value : wrongType(value, "'true' or 'false'");

/** Standard base64; padding may be absent. The decoded text has padding, and no stray bits at the end. */
export const decodeBase64: Decoder = (value) => {
  if (typeof value !== "string") return wrongType(value, "string");
  if (!isIdentifier("base64", value)) return new DecodingFailure(`The string is not a valid Base64: ${value}`);
  const padded = value.padEnd(Math.ceil(value.length / 4) * 4, "=");
  return padded.endsWith("=") ? `${padded.slice(0, -4)}${btoa(atob(padded.slice(-4)))}` : padded;
};

/** An ISO-8601 instant. The decoded text is in UTC, in the form that a node writes. */
export const decodeInstant: Decoder = (value) => {
  if (typeof value !== "string") return wrongType(value, "string");
  const read = readInstant(value);
  return read.type === "instant" ? read.text : new DecodingFailure(read.problem);
};

/** Exact names only. `UNRECOGNIZED` is accepted, but not listed as supported. */
export function decodeEnum(names: readonly string[]): Decoder {
  const accepted = new Set([...names, "UNRECOGNIZED"]);
  return (value) => {
    if (typeof value !== "string") return wrongType(value, "string");
    if (accepted.has(value)) return value;
    return new DecodingFailure(`Unrecognized enum value ${value}. Supported values: [${names.join(", ")}]`);
  };
}

const intMax = 2n ** 31n - 1n;
const longMax = 2n ** 63n - 1n;

export const decodeInt: Decoder = (value) => integerWithin(value, intMax) ?? new DecodingFailure("Int");

export const decodeLong: Decoder = (value) => integerWithin(value, longMax) ?? new DecodingFailure("Long");

function integerWithin(value: Parsed, max: bigint): number | bigint | undefined {
  const integer = integerOf(value);
  if (integer === undefined || integer > max || integer < -max - 1n) return undefined;
  return Number.isSafeInteger(Number(integer)) ? Number(integer) : BigInt(integer);
}

/** A whole number in any spelling, as a number or as a string of such a number. */
function integerOf(value: Parsed): number | bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? value + 0 : undefined;
  if (value instanceof NumberText) return wholeNumber(value.text);
  return typeof value === "string" ? wholeNumber(value) : undefined;
}

const number = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;
/** More digits than any 64-bit integer has. */
const int64DigitsMax = 20;

function wholeNumber(text: string): bigint | undefined {
  // A string is not counted as a number of the body, and long runs of zeros take quadratic time.
  if (text.length > digitsMax) return undefined;
  const [isNumber, sign = "", whole = "", fraction = "", exponent = "0"] = number.exec(text) ?? [];
  if (isNumber === undefined) return undefined;
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return 0n;
  const zeros = digits.length - significant.length + Number(exponent) - fraction.length;
  if (zeros < 0 || significant.length + zeros > int64DigitsMax) return undefined;
  return BigInt(`${sign}${significant}${"0".repeat(zeros)}`);
}
