/** Reads the protobuf primitives of a part of a buffer. Throws RangeError for bytes that are no message. */
export class BytesCursor {
  readonly bytes: Uint8Array;
  position: number;
  end: number;

  constructor(bytes: Uint8Array, position: number, end: number) {
    this.bytes = bytes;
    this.position = position;
    this.end = end;
  }

  get isAtEnd(): boolean {
    return this.position >= this.end;
  }

  /** A varint below 2^53; a negative int32 takes ten bytes and is `wrapped`. */
  varint(): number {
    const first = this.#byte();
    if (first < 128) return first;
    let value = first & 127;
    let scale = 128;
    for (let index = 1; index < varintBytesMax; index += 1, scale *= 128) {
      const byte = this.#byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new RangeError("a number has more than ten bytes");
  }

  /** The position after a length-delimited field, of which the length is read. */
  sized(): number {
    const length = this.varint();
    if (length > this.end - this.position) throw new RangeError("a field exceeds its message");
    return this.position + length;
  }

  skip(bytes: number): void {
    if (bytes > this.end - this.position) throw new RangeError("a field exceeds its message");
    this.position += bytes;
  }

  #byte(): number {
    const byte = this.position < this.end ? this.bytes[this.position] : undefined;
    if (byte === undefined) throw new RangeError("a number exceeds its message");
    this.position += 1;
    return byte;
  }
}

const varintBytesMax = 10;
