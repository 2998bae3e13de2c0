import { isJsonObject, type Json } from "../../foundation/json/json.ts";
import { type DamlField, type DamlValue, isHexId } from "../../foundation/protobuf/daml-value.ts";
import { microsOfInstant } from "../../foundation/protobuf/instant.ts";
import { amountUnitsEnd } from "../registry/amount.ts";

/** The type of a Daml value, for reading JSON. `any` is a value of unknown type. */
export type DamlType =
  | { readonly type: "unit" | "bool" | "int64" | "numeric" | "text" | "party" | "timestamp" | "contract-id" | "any" }
  | { readonly type: "optional" | "list" | "text-map"; readonly inner: DamlType }
  | { readonly type: "record"; readonly fields: readonly (readonly [label: string, type: DamlType])[] }
  /** The constructors by name; a function, since variants may contain themselves. */
  | { readonly type: "variant"; readonly constructors: () => Readonly<Record<string, DamlType>> };

/** Maximum nesting of values; less than the decoder's, since decoding adds one level. */
const depthMax = 90;

/** A JSON value does not match its Daml type; `path` is the place in the JSON. */
export class DamlMismatch extends Error {
  constructor(path: string, expected: string) {
    super(`${path === "" ? "the value" : path} is not ${expected}`);
  }
}

/** Reads a Daml value from JSON. Throws DamlMismatch if the JSON does not match the type. */
export function valueFromJson(json: Json | undefined, type: DamlType, path = "", depth = 0): DamlValue {
  if (depth > depthMax) throw new DamlMismatch("", `a value of at most ${depthMax} levels`);
  switch (type.type) {
    case "any":
      return guessed(json ?? null, depth);
    case "optional":
      return {
        type: "optional",
        value: json === undefined || json === null ? undefined : valueFromJson(json, type.inner, path, depth + 1),
      };
    case "list":
      if (!Array.isArray(json)) throw new DamlMismatch(path, "a list");
      return {
        type: "list",
        elements: json.map((element, index) => valueFromJson(element, type.inner, `${path}/${index}`, depth + 1)),
      };
    case "text-map":
      if (!isJsonObject(json)) throw new DamlMismatch(path, "a map");
      return {
        type: "text-map",
        entries: Object.entries(json)
          .sort(([left], [right]) => (left < right ? -1 : 1))
          .map(([key, inner]) => [key, valueFromJson(inner, type.inner, `${path}/${key}`, depth + 1)]),
      };
    case "record":
      return recordFromJson(json, type.fields, path, depth);
    case "variant":
      return variantFromJson(json, type.constructors(), path, depth);
    default:
      return scalarFromJson(json, type.type, path);
  }
}

function recordFromJson(
  json: Json | undefined,
  fields: readonly (readonly [label: string, type: DamlType])[],
  path: string,
  depth: number,
): DamlValue {
  if (!isJsonObject(json)) throw new DamlMismatch(path, "a record");
  const labels = new Set(fields.map(([label]) => label));
  const unknown = Object.keys(json).find((name) => !labels.has(name) && json[name] !== null);
  if (unknown !== undefined) throw new DamlMismatch(`${path}/${unknown}`, "a field of the record");
  return {
    type: "record",
    fields: fields.map(
      ([label, type]): DamlField => [label, valueFromJson(json[label], type, `${path}/${label}`, depth + 1)],
    ),
  };
}

function variantFromJson(
  json: Json | undefined,
  constructors: Readonly<Record<string, DamlType>>,
  path: string,
  depth: number,
): DamlValue {
  const [tag, value] = isJsonObject(json) ? [json["tag"], json["value"]] : [];
  const type = typeof tag === "string" && Object.hasOwn(constructors, tag) ? constructors[tag] : undefined;
  if (typeof tag !== "string" || type === undefined) throw new DamlMismatch(path, "a variant of its type");
  return { type: "variant", constructorName: tag, value: valueFromJson(value, type, `${path}/value`, depth + 1) };
}

type Scalar = Exclude<DamlType["type"], "any" | "optional" | "list" | "text-map" | "record" | "variant">;

function scalarFromJson(json: Json | undefined, type: Scalar, path: string): DamlValue {
  switch (type) {
    case "unit":
      return { type };
    case "bool":
      if (typeof json !== "boolean") throw new DamlMismatch(path, "a boolean");
      return { type, value: json };
    case "int64":
      return { type, value: int64Of(json, path) };
    case "numeric":
      return { type, value: numericOf(json, path) };
    case "timestamp":
      return { type, value: microsOf(json, path) };
    case "contract-id":
      if (typeof json !== "string" || !isHexId(json)) throw new DamlMismatch(path, "a contract id in hex");
      return { type, value: json };
    default:
      if (typeof json !== "string") throw new DamlMismatch(path, `a ${type}`);
      return { type, value: json };
  }
}

function int64Of(json: Json | undefined, path: string): bigint {
  const value = wholeOf(json);
  if (value === undefined) throw new DamlMismatch(path, "an integer");
  if (BigInt.asIntN(64, value) !== value) throw new DamlMismatch(path, "a 64-bit integer");
  return value;
}

function wholeOf(json: Json | undefined): bigint | undefined {
  if (typeof json === "bigint") return json;
  if (typeof json === "number") return Number.isInteger(json) ? BigInt(json) : undefined;
  return typeof json === "string" && /^-?\d{1,19}$/.test(json) ? BigInt(json) : undefined;
}

const decimalForm = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;
const decimalDigits = 10;
/** Far beyond every decimal; a longer text takes long to read as a number. */
const decimalLengthMax = 1000;

/** A decimal below 10^28 in size with ten digits after the point, rounded half-even, as the ledger writes it (Splice 0.7, TransferInstructionV1.daml and V2). */
function numericOf(json: Json | undefined, path: string): string {
  const text = typeof json === "number" || typeof json === "bigint" ? String(json) : json;
  const match = typeof text === "string" && text.length <= decimalLengthMax ? decimalForm.exec(text) : null;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match ?? [];
  if (match === null || whole + fraction === "") throw new DamlMismatch(path, "a decimal");
  const units = scaled(BigInt(whole + fraction), Number(exponent) - fraction.length + decimalDigits);
  if (units >= amountUnitsEnd) throw new DamlMismatch(path, "a decimal below 10^28");
  const digits = units.toString().padStart(decimalDigits + 1, "0");
  const isNegative = sign === "-" && units > 0n;
  return `${isNegative ? "-" : ""}${digits.slice(0, -decimalDigits)}.${digits.slice(-decimalDigits)}`;
}

/** Multiplies by a power of ten and rounds half to even. */
function scaled(value: bigint, power: number): bigint {
  if (power >= 0) return value * 10n ** BigInt(Math.min(power, 100));
  const divisor = 10n ** BigInt(Math.min(-power, 1100));
  const [quotient, twice] = [value / divisor, (value % divisor) * 2n];
  const isUp = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
}

function microsOf(json: Json | undefined, path: string): bigint {
  const micros = typeof json === "string" ? microsOfInstant(json) : undefined;
  if (micros === undefined) throw new DamlMismatch(path, "an ISO-8601 timestamp with a time zone");
  return micros;
}

const party = /^[A-Za-z0-9_ :-]+::1220[0-9a-f]{64}$/;
const contractId = /^00[0-9a-f]{64}(?:ca1[0-2]1220[0-9a-f]{64})?$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const decimal = /^-?\d+\.\d{1,10}$/;

/** Infers a Daml value from the form of the JSON, for values of unknown type. */
function guessed(json: Json, depth = 0): DamlValue {
  if (depth >= depthMax) throw new DamlMismatch("", `a value of at most ${depthMax} levels`);
  if (json === null) return { type: "optional", value: undefined };
  if (typeof json === "boolean") return { type: "bool", value: json };
  if (typeof json === "number" || typeof json === "bigint")
    return typeof json === "bigint" || Number.isInteger(json)
      ? { type: "int64", value: int64Of(json, "") }
      : { type: "numeric", value: numericOf(json, "") };
  if (typeof json === "string") return guessedText(json);
  if (Array.isArray(json)) return { type: "list", elements: json.map((element) => guessed(element, depth + 1)) };
  if (isJsonObject(json))
    return { type: "record", fields: Object.entries(json).map(([key, inner]) => [key, guessed(inner, depth + 1)]) };
  throw new DamlMismatch("", "a JSON value");
}

function guessedText(text: string): DamlValue {
  if (party.test(text)) return { type: "party", value: text };
  if (contractId.test(text)) return { type: "contract-id", value: text };
  const micros = instant.test(text) ? microsOfInstant(text) : undefined;
  if (micros !== undefined) return { type: "timestamp", value: micros };
  if (decimal.test(text)) return { type: "numeric", value: numericOf(text, "") };
  return { type: "text", value: text };
}
