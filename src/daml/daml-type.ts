import { isJsonObject, type Json } from "../http/json.ts";
import type { DamlField, DamlValue } from "../protobuf/daml-value.ts";

/** The type of a Daml value, as far as reading JSON needs it. `any` is a value whose type nobody knows here. */
export type DamlType =
  | { readonly type: "unit" | "bool" | "int64" | "numeric" | "text" | "party" | "timestamp" | "contract-id" | "any" }
  | { readonly type: "optional" | "list" | "text-map"; readonly inner: DamlType }
  | { readonly type: "record"; readonly fields: readonly (readonly [label: string, type: DamlType])[] }
  /** The constructors by name; a function, since variants may contain themselves. */
  | { readonly type: "variant"; readonly constructors: () => Readonly<Record<string, DamlType>> };

/** A JSON value that is not of its type; `path` says where, in the words of the JSON. */
export class DamlMismatch extends Error {
  constructor(path: string, expected: string) {
    super(`${path === "" ? "the value" : path} is no ${expected}`);
  }
}

/** The value that JSON stands for. Throws DamlMismatch where it is not of the type. */
export function valueFromJson(json: Json | undefined, type: DamlType, path = ""): DamlValue {
  switch (type.type) {
    case "any":
      return guessed(json ?? null);
    case "optional":
      return {
        type: "optional",
        value: json === undefined || json === null ? undefined : valueFromJson(json, type.inner, path),
      };
    case "list":
      if (!Array.isArray(json)) throw new DamlMismatch(path, "list");
      return {
        type: "list",
        elements: json.map((element, index) => valueFromJson(element, type.inner, `${path}/${index}`)),
      };
    case "text-map":
      if (!isJsonObject(json)) throw new DamlMismatch(path, "map");
      return {
        type: "text-map",
        entries: Object.entries(json)
          .sort(([left], [right]) => (left < right ? -1 : 1))
          .map(([key, inner]) => [key, valueFromJson(inner, type.inner, `${path}/${key}`)]),
      };
    case "record":
      return recordFromJson(json, type.fields, path);
    case "variant":
      return variantFromJson(json, type.constructors(), path);
    default:
      return scalarFromJson(json, type.type, path);
  }
}

function recordFromJson(
  json: Json | undefined,
  fields: readonly (readonly [label: string, type: DamlType])[],
  path: string,
): DamlValue {
  if (!isJsonObject(json)) throw new DamlMismatch(path, "record");
  const labels = new Set(fields.map(([label]) => label));
  const unknown = Object.keys(json).find((name) => !labels.has(name) && json[name] !== null);
  if (unknown !== undefined) throw new DamlMismatch(`${path}/${unknown}`, "field of the record");
  return {
    type: "record",
    fields: fields.map(([label, type]): DamlField => [label, valueFromJson(json[label], type, `${path}/${label}`)]),
  };
}

function variantFromJson(
  json: Json | undefined,
  constructors: Readonly<Record<string, DamlType>>,
  path: string,
): DamlValue {
  const [tag, value] = isJsonObject(json) ? [json["tag"], json["value"]] : [];
  const type = typeof tag === "string" && Object.hasOwn(constructors, tag) ? constructors[tag] : undefined;
  if (typeof tag !== "string" || type === undefined) throw new DamlMismatch(path, "variant of its type");
  return { type: "variant", constructorName: tag, value: valueFromJson(value, type, `${path}/value`) };
}

type Scalar = Exclude<DamlType["type"], "any" | "optional" | "list" | "text-map" | "record" | "variant">;

function scalarFromJson(json: Json | undefined, type: Scalar, path: string): DamlValue {
  switch (type) {
    case "unit":
      return { type };
    case "bool":
      if (typeof json !== "boolean") throw new DamlMismatch(path, "boolean");
      return { type, value: json };
    case "int64":
      return { type, value: int64Of(json, path) };
    case "numeric":
      return { type, value: numericOf(json, path) };
    case "timestamp":
      return { type, value: microsOf(json, path) };
    default:
      if (typeof json !== "string") throw new DamlMismatch(path, type);
      return { type, value: json };
  }
}

function int64Of(json: Json | undefined, path: string): bigint {
  const isWhole = typeof json === "string" ? /^-?\d{1,19}$/.test(json) : Number.isInteger(json);
  if (typeof json !== "bigint" && !isWhole) throw new DamlMismatch(path, "integer");
  return BigInt(String(json));
}

/** A decimal with at most 28 digits before the point and ten after it, as the ledger writes it. */
function numericOf(json: Json | undefined, path: string): string {
  const text = typeof json === "number" || typeof json === "bigint" ? String(json) : json;
  const match = typeof text === "string" ? /^(-?)(\d{1,28})(?:\.(\d{1,10})\d*)?$/.exec(text) : null;
  if (match === null) throw new DamlMismatch(path, "decimal");
  const whole = BigInt(match[2] ?? "0").toString();
  return `${match[1] ?? ""}${whole}.${(match[3] ?? "").padEnd(10, "0")}`;
}

/** Microseconds since the epoch; digits beyond them are cut. */
function microsOf(json: Json | undefined, path: string): bigint {
  const milliseconds = typeof json === "string" ? Date.parse(json) : Number.NaN;
  if (typeof json !== "string" || Number.isNaN(milliseconds)) throw new DamlMismatch(path, "moment in ISO-8601");
  return microsOfInstant(json);
}

/** Microseconds since the epoch of an ISO-8601 instant, which has three digits more than a Date keeps. */
export function microsOfInstant(instant: string): bigint {
  const fraction = /\.(\d+)/.exec(instant)?.[1] ?? "";
  const wholeSeconds = BigInt(Math.floor(Date.parse(instant) / 1000));
  return wholeSeconds * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
}

const party = /^[A-Za-z0-9_ :-]+::1220[0-9a-f]{64}$/;
const contractId = /^00[0-9a-f]{64}(?:ca1[0-2]1220[0-9a-f]{64})?$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const decimal = /^-?\d+\.\d{1,10}$/;

/** Without a type the form of a value has to do. */
function guessed(json: Json): DamlValue {
  if (json === null) return { type: "optional", value: undefined };
  if (typeof json === "boolean") return { type: "bool", value: json };
  if (typeof json === "bigint") return { type: "int64", value: json };
  if (typeof json === "number")
    return Number.isInteger(json)
      ? { type: "int64", value: BigInt(json) }
      : { type: "numeric", value: numericOf(json, "") };
  if (typeof json === "string") return guessedText(json);
  if (Array.isArray(json)) return { type: "list", elements: json.map(guessed) };
  if (isJsonObject(json))
    return { type: "record", fields: Object.entries(json).map(([key, inner]) => [key, guessed(inner)]) };
  throw new DamlMismatch("", "JSON value");
}

function guessedText(text: string): DamlValue {
  if (party.test(text)) return { type: "party", value: text };
  if (contractId.test(text)) return { type: "contract-id", value: text };
  if (instant.test(text)) return { type: "timestamp", value: microsOfInstant(text) };
  if (decimal.test(text)) return { type: "numeric", value: numericOf(text, "") };
  return { type: "text", value: text };
}
