import type { WireType } from "@bufbuild/protobuf/wire";

const firstBytes = 1024;
const encoder = new TextEncoder();
/** Longer texts are encoded by the platform. */
const shortTextMax = 100;

/**
 * Writes a protobuf message from its end to its beginning. The length of a message precedes it and is known once the
 * message is written, so the bytes of nested messages are not copied again at each level.
 */
export class ReverseWriter {
  #buffer = new Uint8Array(firstBytes);
  /** The position of the first written byte. */
  #start: number = firstBytes;
  #fields = 0;
  #isExact = true;
  /** The number of unions around the current value. */
  depth = 0;

  /** The number of written bytes. */
  get length(): number {
    return this.#buffer.length - this.#start;
  }

  /** The written bytes. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(this.#start);
  }

  /** The number of written fields, inner ones included. */
  get fields(): number {
    return this.#fields;
  }

  /** Whether a reader of the bytes gives the values that were written. */
  get isExact(): boolean {
    return this.#isExact;
  }

  /** Notes that a reader gives another value, or none. */
  markInexact(): void {
    this.#isExact = false;
  }

  /** Writes bytes as they are, without their length. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#start -= bytes.length;
    this.#buffer.set(bytes, this.#start);
  }

  text(value: string): void {
    if (value.length <= shortTextMax && this.#writeAscii(value)) return;
    if (!value.isWellFormed()) this.markInexact();
    this.raw(encoder.encode(value));
  }

  /** Writes a whole number from 0 to 2^32 - 1. */
  varint(value: number): void {
    let length = 1;
    for (let left = value >>> 7; left > 0; left >>>= 7) length += 1;
    this.#reserve(length);
    this.#start -= length;
    let left = value;
    for (let at = this.#start; at < this.#start + length - 1; at += 1, left >>>= 7)
      this.#buffer[at] = (left & 127) | 128;
    this.#buffer[this.#start + length - 1] = left;
  }

  /** Writes the tag of a field, after its value. */
  tag(number: number, type: WireType): void {
    this.#fields += 1;
    this.varint((number << 3) | type);
  }

  /** Writes the length of what was written since the writer had a length. */
  lengthSince(before: number): void {
    this.varint(this.length - before);
  }

  /** Writes a text of ASCII characters; false, without an effect, if it has others. */
  #writeAscii(value: string): boolean {
    this.#reserve(value.length);
    const start = this.#start - value.length;
    for (let index = 0; index < value.length; index += 1) {
      const code = value.charCodeAt(index);
      if (code > 127) return false;
      this.#buffer[start + index] = code;
    }
    this.#start = start;
    return true;
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#start) return;
    const { length } = this;
    const larger = new Uint8Array(Math.max(2 * this.#buffer.length, length + bytes));
    larger.set(this.bytes, larger.length - length);
    this.#start = larger.length - length;
    this.#buffer = larger;
  }
}
