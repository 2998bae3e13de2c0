import { type Fields, readFields } from "./_fields.ts";
import { Message } from "./_message.ts";

// A Daml value of the ledger API (com.daml.ledger.api.v2.Value).

export type DamlValue =
  | { readonly type: "unit" }
  | { readonly type: "bool"; readonly value: boolean }
  | { readonly type: "int64"; readonly value: bigint }
  /** Days since 1970-01-01. */
  | { readonly type: "date"; readonly value: number }
  /** Microseconds since the epoch. */
  | { readonly type: "timestamp"; readonly value: bigint }
  /** A decimal as text. */
  | { readonly type: "numeric"; readonly value: string }
  | { readonly type: "party"; readonly value: string }
  | { readonly type: "text"; readonly value: string }
  /** Lower-case hex. */
  | { readonly type: "contract-id"; readonly value: string }
  | { readonly type: "optional"; readonly value: DamlValue | undefined }
  | { readonly type: "list"; readonly elements: readonly DamlValue[] }
  | { readonly type: "text-map"; readonly entries: readonly (readonly [key: string, value: DamlValue])[] }
  | { readonly type: "gen-map"; readonly entries: readonly (readonly [key: DamlValue, value: DamlValue])[] }
  | { readonly type: "record"; readonly id?: string; readonly fields: readonly DamlField[] }
  | { readonly type: "variant"; readonly id?: string; readonly constructorName: string; readonly value: DamlValue }
  | { readonly type: "enum"; readonly id?: string; readonly constructorName: string };

export type DamlField = readonly [label: string, value: DamlValue];

/** The protobuf of an identifier in the form package:module:entity. */
export function encodeIdentifier(id: string): Uint8Array {
  const [packageId = "", moduleName = "", entityName = ""] = id.split(":");
  return new Message().text(1, packageId).text(2, moduleName).text(3, entityName).finish();
}

export function encodeValue(value: DamlValue): Uint8Array {
  const message = new Message();
  switch (value.type) {
    case "unit":
      return message.bytes(1, new Uint8Array()).finish();
    case "bool":
      return message.varint(2, value.value).finish();
    case "int64":
      return message.zigzag(3, value.value).finish();
    case "date":
      return message.varint(4, BigInt.asUintN(64, BigInt(value.value))).finish();
    case "timestamp":
      return message.fixed64(5, value.value).finish();
    case "numeric":
      return message.unionText(6, value.value).finish();
    case "party":
      return message.unionText(7, value.value).finish();
    case "text":
      return message.unionText(8, value.value).finish();
    case "contract-id":
      return message.unionText(9, value.value).finish();
    default:
      return encodeComposite(message, value);
  }
}

type Composite = Extract<
  DamlValue,
  { readonly type: "optional" | "list" | "text-map" | "gen-map" | "record" | "variant" | "enum" }
>;

function encodeComposite(message: Message, value: Composite): Uint8Array {
  switch (value.type) {
    case "optional": {
      const inner = value.value === undefined ? undefined : encodeValue(value.value);
      return message.bytes(10, new Message().message(1, inner).finish()).finish();
    }
    case "list":
      return message.bytes(11, new Message().messages(1, value.elements.map(encodeValue)).finish()).finish();
    case "text-map": {
      const entries = value.entries.map(([key, inner]) =>
        new Message().text(1, key).bytes(2, encodeValue(inner)).finish(),
      );
      return message.bytes(12, new Message().messages(1, entries).finish()).finish();
    }
    case "gen-map": {
      const entries = value.entries.map(([key, inner]) =>
        new Message().bytes(1, encodeValue(key)).bytes(2, encodeValue(inner)).finish(),
      );
      return message.bytes(13, new Message().messages(1, entries).finish()).finish();
    }
    case "record": {
      const fields = value.fields.map(([label, inner]) =>
        new Message().text(1, label).bytes(2, encodeValue(inner)).finish(),
      );
      return message.bytes(14, new Message().message(1, optionalId(value.id)).messages(2, fields).finish()).finish();
    }
    case "variant": {
      const named = new Message().message(1, optionalId(value.id)).text(2, value.constructorName);
      return message.bytes(15, named.bytes(3, encodeValue(value.value)).finish()).finish();
    }
    case "enum":
      return message
        .bytes(16, new Message().message(1, optionalId(value.id)).text(2, value.constructorName).finish())
        .finish();
  }
}

function optionalId(id: string | undefined): Uint8Array | undefined {
  return id === undefined ? undefined : encodeIdentifier(id);
}

/** The identifier in the form package:module:entity; undefined if absent. */
export function decodeIdentifier(fields: Fields | undefined): string | undefined {
  return fields === undefined ? undefined : `${fields.text(1)}:${fields.text(2)}:${fields.text(3)}`;
}

/** Maximum nesting of values, as on a node. */
const depthMax = 100;

/** Reads a value. Throws if it is invalid or nested too deeply. */
export function decodeValue(fields: Fields | undefined, depth = 0): DamlValue {
  if (fields === undefined) throw new RangeError("a value is missing");
  if (depth > depthMax) throw new RangeError("the value is nested too deep");
  if (fields.has(2)) return { type: "bool", value: fields.integer(2) !== 0n };
  if (fields.has(3)) return { type: "int64", value: zigzagOf(fields.integer(3)) };
  if (fields.has(4)) return { type: "date", value: Number(within(BigInt.asIntN(32, fields.integer(4)), dates)) };
  if (fields.has(5)) return { type: "timestamp", value: within(BigInt.asIntN(64, fields.integer(5)), timestamps) };
  if (fields.has(6)) return { type: "numeric", value: fields.text(6) };
  if (fields.has(7)) return { type: "party", value: fields.text(7) };
  if (fields.has(8)) return { type: "text", value: fields.text(8) };
  if (fields.has(9)) return { type: "contract-id", value: hexId(fields.text(9)) };
  return decodeComposite(fields, depth + 1);
}

function decodeComposite(fields: Fields, depth: number): DamlValue {
  const inner = (field: number) => fields.message(field);
  const list = inner(11);
  const [textMap, genMap, record] = [inner(12), inner(13), inner(14)];
  const [variant, constant] = [inner(15), inner(16)];
  const optional = inner(10);
  if (optional !== undefined)
    return { type: "optional", value: optional.has(1) ? decodeValue(optional.message(1), depth) : undefined };
  if (list !== undefined)
    return { type: "list", elements: list.bytes(1).map((element) => decodeValue(readFields(element), depth)) };
  if (textMap !== undefined)
    return {
      type: "text-map",
      entries: textMap
        .bytes(1)
        .map(readFields)
        .map((entry) => [entry.text(1), decodeValue(entry.message(2), depth)]),
    };
  if (genMap !== undefined)
    return {
      type: "gen-map",
      entries: genMap
        .bytes(1)
        .map(readFields)
        .map((entry) => [decodeValue(entry.message(1), depth), decodeValue(entry.message(2), depth)]),
    };
  if (record !== undefined) return decodeRecord(record, depth);
  if (variant !== undefined)
    return {
      type: "variant",
      ...idOf(variant.message(1)),
      constructorName: variant.text(2),
      value: decodeValue(variant.message(3), depth),
    };
  if (constant !== undefined) return { type: "enum", ...idOf(constant.message(1)), constructorName: constant.text(2) };
  if (fields.has(1)) return { type: "unit" };
  throw new RangeError("the value has no kind");
}

function decodeRecord(record: Fields, depth: number): DamlValue {
  const fields = record
    .bytes(2)
    .map(readFields)
    .map((field): DamlField => [field.text(1), decodeValue(field.message(2), depth)]);
  return { type: "record", ...idOf(record.message(1)), fields };
}

function idOf(fields: Fields | undefined): { readonly id?: string } {
  const id = decodeIdentifier(fields);
  return id === undefined ? {} : { id };
}

/** A range with both ends included. */
export type Range = readonly [least: bigint, most: bigint];

/** From the year 1 to the year 9999, in days and in microseconds. */
const dates: Range = [-719_162n, 2_932_896n];
export const timestamps: Range = [-62_135_596_800_000_000n, 253_402_300_799_999_999n];

export function isWithin(value: bigint, [least, most]: Range): boolean {
  return value >= least && value <= most;
}

function within(value: bigint, range: Range): bigint {
  if (!isWithin(value, range)) throw new RangeError("the time is outside the years 1 to 9999");
  return value;
}

/** Whether a contract id can be hashed: whole bytes in lower-case hex, or empty. */
export function isHexId(id: string): boolean {
  return id.length % 2 === 0 && /^[0-9a-f]*$/.test(id);
}

/** Reads a contract id. Throws if it is invalid. */
export function hexId(id: string): string {
  if (!isHexId(id)) throw new RangeError("the contract id is not hex");
  return id;
}

function zigzagOf(value: bigint): bigint {
  return (value >> 1n) ^ -(value & 1n);
}
