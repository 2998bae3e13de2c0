import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** Fields of a protobuf message as bytes. Without bytes the field is absent. */
export type Bytes = Uint8Array<ArrayBufferLike>;

export const NOTHING: Bytes = new Uint8Array();

export function joined(...parts: readonly Bytes[]): Bytes {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** A field of a `oneof`: it is written also when it is 0. */
export function chosen(number: number, value: number): Bytes {
  return new BinaryWriter().tag(number, WireType.Varint).int32(value).finish();
}

/** A field outside of a `oneof`: 0 is the default and is absent. */
export function int(number: number, value: number): Bytes {
  return value === 0 ? NOTHING : chosen(number, value);
}

export function flag(number: number, value: boolean): Bytes {
  return int(number, value ? 1 : 0);
}

export function signed(number: number, value: bigint): Bytes {
  return new BinaryWriter().tag(number, WireType.Varint).sint64(value).finish();
}

export function fixed(number: number, value: bigint): Bytes {
  return new BinaryWriter().tag(number, WireType.Bit64).sfixed64(value).finish();
}

export function bytes(number: number, value: Bytes): Bytes {
  return new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(value).finish();
}

export function text(number: number, value: string): Bytes {
  return bytes(number, new TextEncoder().encode(value));
}

/** A message in a message. Its fields are given in the order of their declarations, which is the order of the compiler. */
export function message(number: number, ...fields: readonly Bytes[]): Bytes {
  return bytes(number, joined(...fields));
}

/** A repeated number in packed form. */
export function packed(number: number, values: readonly number[]): Bytes {
  const writer = new BinaryWriter();
  for (const value of values) writer.int32(value);
  return values.length === 0 ? NOTHING : bytes(number, writer.finish());
}
