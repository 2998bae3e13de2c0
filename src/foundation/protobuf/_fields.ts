import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/** The fields of a message by number, with all occurrences. */
export interface Fields {
  /** Length-delimited values. Throws if the field has another wire type. */
  bytes(field: number): readonly Uint8Array[];
  texts(field: number): readonly string[];
  /** The last value, as protobuf specifies for a field that is not repeated. */
  text(field: number): string;
  message(field: number): Fields | undefined;
  /** Varint or fixed 64 bits; 0 where the field is absent. */
  integer(field: number): bigint;
  has(field: number): boolean;
  integers(field: number): readonly bigint[];
}

type Value = Uint8Array | bigint;

/** Reads a message. Throws if it is truncated or not well-formed. */
export function readFields(bytes: Uint8Array): Fields {
  const values = new Map<number, Value[]>();
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    const known = values.get(field) ?? [];
    known.push(readValue(reader, type));
    values.set(field, known);
  }
  return fieldsOver(values);
}

function readValue(reader: BinaryReader, type: WireType): Value {
  switch (type) {
    case WireType.LengthDelimited:
      return reader.bytes();
    case WireType.Varint:
      return BigInt(reader.uint64());
    case WireType.Bit64:
      return BigInt(reader.fixed64());
    case WireType.Bit32:
      return BigInt(reader.fixed32());
    default:
      throw new RangeError(`wire type ${type} is not in use any more`);
  }
}

function fieldsOver(values: ReadonlyMap<number, readonly Value[]>): Fields {
  const bytes = (field: number) =>
    (values.get(field) ?? []).map((value) => {
      if (typeof value === "bigint") throw new RangeError(`field ${field} is a number`);
      return value;
    });
  const integers = (field: number) =>
    (values.get(field) ?? []).map((value) => {
      if (typeof value !== "bigint") throw new RangeError(`field ${field} is not a number`);
      return value;
    });
  const texts = (field: number) => bytes(field).map((value) => new TextDecoder("utf-8", { fatal: true }).decode(value));
  return {
    bytes,
    integers,
    texts,
    text: (field) => texts(field).at(-1) ?? "",
    integer: (field) => integers(field).at(-1) ?? 0n,
    has: (field) => values.has(field),
    message: (field) => {
      const inner = bytes(field).at(-1);
      return inner === undefined ? undefined : readFields(inner);
    },
  };
}
