import { formatJson, type Json } from "../../foundation/json/json.ts";
import { type DamlValue, isHexId } from "../../foundation/protobuf/daml-value.ts";
import { microsOfInstant } from "../../foundation/protobuf/instant.ts";
import { isIdentifier } from "../../foundation/spec/identifiers.ts";
import { shortened } from "../../foundation/text/shortened.ts";
import { invalidJson, invalidValue, mistyped } from "./value-error.ts";

/** Reads a value of a built-in type without inner values. `scale` is that of a Numeric. Throws ValueError. */
export function readScalar(json: Json, name: string, scale: number, path: string): DamlValue {
  switch (name) {
    case "Unit":
      return { type: "unit" };
    case "Bool":
      if (typeof json !== "boolean") throw invalidJson(`Expected ujson.Bool (data: ${shown(json)})`, path);
      return { type: "bool", value: json };
    case "Int64":
      return { type: "int64", value: int64Of(json, path) };
    case "Numeric":
      return { type: "numeric", value: numericOf(json, scale, path) };
    case "Text":
      return { type: "text", value: textOf(json, path) };
    case "Party":
      return { type: "party", value: partyOf(textOf(json, path), path) };
    case "ContractId":
      return { type: "contract-id", value: contractIdOf(textOf(json, path), path) };
    case "Date":
      return { type: "date", value: daysOf(textOf(json, path), path) };
    case "Timestamp":
      return { type: "timestamp", value: microsOf(textOf(json, path), path) };
    default:
      throw mistyped(`the type ${name} has no values in JSON`, path);
  }
}

export function textOf(json: Json, path: string): string {
  if (typeof json !== "string") throw invalidJson(`Expected ujson.Str (data: ${shown(json)})`, path);
  return json;
}

/** JSON in the text of an error, at most 100 characters. */
export function shown(json: Json): string {
  return shortened(formatJson(json), 100);
}

/** Digits in a text: a node refuses a JSON number (Canton, transcode: JsonCodec.scala with encodeInt64AsString). */
function int64Of(json: Json, path: string): bigint {
  const text = textOf(json, path);
  const value = /^[+-]?\d{1,19}$/.test(text) ? BigInt(text.replace("+", "")) : undefined;
  if (value === undefined || BigInt.asIntN(64, value) !== value)
    throw invalidJson(`For input string: ${JSON.stringify(shortened(text, 100))}`, path);
  return value;
}

const numericForm = /^([+-]?)(\d{1,38})(?:\.(\d{0,37}))?$/;
const digitsMax = 38;

/** A decimal with as many digits after the point as its type has. */
function numericOf(json: Json, scale: number, path: string): string {
  if (typeof json !== "string" && typeof json !== "number" && typeof json !== "bigint")
    throw invalidJson(`${shown(json)} is not a valid numeric value`, path);
  const text = String(json);
  const [, sign = "", whole = "", fraction = ""] = numericForm.exec(text) ?? [];
  const written = fraction.replace(/0+$/, "");
  if (whole === "") throw invalidValue(`Could not read Numeric string ${JSON.stringify(shortened(text, 100))}`, path);
  const digits = whole.replace(/^0+(?=\d)/, "");
  const isZero = /^0*$/.test(`${digits}${written}`);
  const shownSign = sign === "-" && !isZero ? "-" : "";
  if (written.length > scale)
    throw mistyped(
      `Cannot represent ${shownSign}${digits}.${fraction} as (Numeric ${scale}) without loss of precision`,
      path,
    );
  const value = `${shownSign}${digits}.${written.padEnd(scale, "0")}`;
  if ((digits === "0" ? 0 : digits.length) + scale > digitsMax)
    throw mistyped(`Out-of-bounds (Numeric ${scale}) ${value}`, path);
  return value;
}

function partyOf(text: string, path: string): string {
  if (!isIdentifier("damlParty", text))
    throw invalidValue(`${JSON.stringify(shortened(text, 100))} is not a party`, path);
  return text;
}

function contractIdOf(text: string, path: string): string {
  if (text === "" || !isHexId(text)) throw invalidValue(`cannot parse ContractId "${shortened(text, 100)}"`, path);
  return text;
}

const dayMs = 86_400_000;

function daysOf(text: string, path: string): number {
  const micros = /^\d{4}-\d{2}-\d{2}$/.test(text) ? microsOfInstant(`${text}T00:00:00Z`) : undefined;
  if (micros === undefined) throw unparsed(text, path);
  return Math.floor(Number(micros / 1000n) / dayMs);
}

function microsOf(text: string, path: string): bigint {
  const micros = microsOfInstant(text);
  if (micros === undefined) throw unparsed(text, path);
  return micros;
}

/** The text of java.time; the index of the first wrong character is not computed. */
function unparsed(text: string, path: string): Error {
  return invalidJson(`Text '${shortened(text, 100)}' could not be parsed at index 0`, path);
}
