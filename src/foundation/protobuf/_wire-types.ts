import { type BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { ReverseWriter } from "./_reverse-writer.ts";
import type { FieldBudget } from "./field-budget.ts";

/** Bytes while they are read. */
export interface Reading {
  readonly reader: BinaryReader;
  /** Counts the fields: each takes more memory than its two or more bytes. */
  readonly budget: FieldBudget;
  /** The number of unions around the current value. */
  depth: number;
}

/** How a value of a protobuf type is read and written, without its tag. */
export interface Type<Value> {
  readonly wireType: WireType;
  /** The value of an absent field; a message has none. */
  readonly absent?: Value;
  read(reading: Reading): Value;
  write(writer: ReverseWriter, value: Value): void;
}

/** Text that must be UTF-8. */
export const string: Type<string> = {
  wireType: WireType.LengthDelimited,
  absent: "",
  read: ({ reader }) => reader.string(true),
  write: (writer, value) => {
    const before = writer.length;
    writer.text(value);
    writer.lengthSince(before);
  },
};

export const bytes: Type<Uint8Array> = {
  wireType: WireType.LengthDelimited,
  absent: new Uint8Array(),
  read: ({ reader }) => reader.bytes(),
  write: (writer, value) => {
    writer.raw(value);
    writer.varint(value.length);
  },
};

export const bool: Type<boolean> = {
  wireType: WireType.Varint,
  absent: false,
  read: ({ reader }) => reader.bool(),
  write: (writer, value) => writer.varint(value ? 1 : 0),
};

export const int32: Type<number> = number("int32");
export const uint32: Type<number> = number("uint32");
export const uint64: Type<bigint> = integer(WireType.Varint, "uint64");
export const sint64: Type<bigint> = integer(WireType.Varint, "sint64");
export const sfixed64: Type<bigint> = integer(WireType.Bit64, "sfixed64");

function number(name: "int32" | "uint32"): Type<number> {
  return {
    wireType: WireType.Varint,
    absent: 0,
    read: ({ reader }) => reader[name](),
    write: (writer, value) => writer.raw(new BinaryWriter()[name](value).finish()),
  };
}

function integer(wireType: WireType, name: "uint64" | "sint64" | "sfixed64"): Type<bigint> {
  return {
    wireType,
    absent: 0n,
    read: ({ reader }) => BigInt(reader[name]()),
    write: (writer, value) => writer.raw(new BinaryWriter()[name](value).finish()),
  };
}

/** The type with other texts or numbers. The writer notes a value that is read as another one, or not at all. */
export function convertedScalar<Inner, Outer extends string | number | bigint>(
  type: Type<Inner>,
  decode: (inner: Inner) => Outer,
  encode: (outer: Outer) => Inner,
): Type<Outer> {
  return {
    ...converted(type, decode, encode),
    write: (writer, value) => {
      const inner = encode(value);
      if (!isReadAs(value, inner, decode)) writer.markInexact();
      type.write(writer, inner);
    },
  };
}

function isReadAs<Inner, Outer>(value: Outer, inner: Inner, decode: (inner: Inner) => Outer): boolean {
  try {
    return decode(inner) === value;
  } catch {
    return false;
  }
}

/**
 * The type with other values. `decode` may throw; `encode` is its inverse. Texts and numbers of a prepared transaction need
 * `convertedScalar`: here the writer does not note a value that is read as another one, and the stub would keep a transaction
 * as exact that its bytes do not contain.
 */
export function converted<Inner, Outer>(
  { wireType, absent, read, write }: Type<Inner>,
  decode: (inner: Inner) => Outer,
  encode: (outer: Outer) => Inner,
): Type<Outer> {
  return {
    wireType,
    ...(absent === undefined ? {} : { absent: decode(absent) }),
    read: (reading) => decode(read(reading)),
    write: (writer, value) => write(writer, encode(value)),
  };
}
