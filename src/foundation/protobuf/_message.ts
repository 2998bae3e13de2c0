import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** Writes a message field by field. Default values are omitted, as in proto3, except for members of a union. */
export class Message {
  readonly #writer = new BinaryWriter();

  text(field: number, value: string): this {
    return value === "" ? this : this.unionText(field, value);
  }

  texts(field: number, values: Iterable<string>): this {
    for (const value of values) this.unionText(field, value);
    return this;
  }

  unionText(field: number, value: string): this {
    this.#writer.tag(field, WireType.LengthDelimited).string(value);
    return this;
  }

  bytes(field: number, value: Uint8Array): this {
    this.#writer.tag(field, WireType.LengthDelimited).bytes(value);
    return this;
  }

  /** An inner message; undefined is omitted. */
  message(field: number, value: Uint8Array | undefined): this {
    return value === undefined ? this : this.bytes(field, value);
  }

  messages(field: number, values: Iterable<Uint8Array>): this {
    for (const value of values) this.bytes(field, value);
    return this;
  }

  /** An unsigned number of any size, an enum or a boolean; undefined is omitted. */
  varint(field: number, value: bigint | number | boolean | undefined): this {
    if (value === undefined) return this;
    this.#writer.tag(field, WireType.Varint).uint64(BigInt(value));
    return this;
  }

  /** A signed number in zigzag form. */
  zigzag(field: number, value: bigint): this {
    this.#writer.tag(field, WireType.Varint).sint64(value);
    return this;
  }

  fixed64(field: number, value: bigint): this {
    this.#writer.tag(field, WireType.Bit64).sfixed64(value);
    return this;
  }

  finish(): Uint8Array {
    return this.#writer.finish();
  }
}
