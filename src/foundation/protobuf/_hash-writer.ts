import { hexToBytes } from "@noble/hashes/utils.js";
import { isHexId } from "./daml-value.ts";

const firstBytes = 1024;
const encoder = new TextEncoder();
/** Longer texts are encoded by the platform. */
const shortTextMax = 30;
/** Longer texts are encoded apart: room for their most bytes would be too much. */
const longTextMin = 10_000;
/** Bytes of a character in UTF-8, at most. */
const characterBytesMax = 3;

/**
 * Writes what is hashed, into one buffer. Numbers are big-endian; texts and bytes have their length before them, lists
 * their count, optional parts 0 or 1.
 */
export class HashWriter {
  #buffer = new Uint8Array(firstBytes);
  #length = 0;

  /** The number of written bytes. */
  get length(): number {
    return this.#length;
  }

  /** The bytes from a position on; they leave the writer. They are valid until the next write. */
  takeFrom(start: number): Uint8Array {
    const taken = this.#buffer.subarray(start, this.#length);
    this.#length = start;
    return taken;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#length] = value;
    this.#length += 1;
  }

  bool(value: boolean): void {
    this.byte(value ? 1 : 0);
  }

  int32(value: number): void {
    this.#reserve(4);
    this.#writeInt32(this.#length, value);
    this.#length += 4;
  }

  int64(value: bigint): void {
    const whole = BigInt.asUintN(64, value);
    this.int32(Number(whole >> 32n));
    this.int32(Number(whole & 0xffff_ffffn));
  }

  /** Writes bytes without their length. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  text(value: string): void {
    if (value.length > longTextMin) {
      this.framed(encoder.encode(value));
      return;
    }
    this.#reserve(4 + characterBytesMax * value.length);
    if (value.length <= shortTextMax && this.#writeAscii(value)) return;
    const { written } = encoder.encodeInto(value, this.#buffer.subarray(this.#length + 4));
    this.#writeInt32(this.#length, written);
    this.#length += 4 + written;
  }

  framed(bytes: Uint8Array): void {
    this.int32(bytes.length);
    this.raw(bytes);
  }

  /** Writes the bytes of hex with their length. Throws RangeError for another text. */
  hex(value: string): void {
    if (!isHexId(value)) {
      this.framed(hexToBytes(value));
      return;
    }
    this.int32(value.length / 2);
    this.#reserve(value.length / 2);
    const [buffer, start] = [this.#buffer, this.#length];
    for (let index = 0; index < value.length; index += 2)
      buffer[start + index / 2] = (digit(value, index) << 4) | digit(value, index + 1);
    this.#length += value.length / 2;
  }

  list<Element>(elements: readonly Element[], write: (element: Element) => void): void {
    this.int32(elements.length);
    for (const element of elements) write(element);
  }

  texts(values: readonly string[]): void {
    this.int32(values.length);
    for (const value of values) this.text(value);
  }

  optional<Value>(value: Value | undefined, write: (value: Value) => void): void {
    this.bool(value !== undefined);
    if (value !== undefined) write(value);
  }

  /** Writes a text of ASCII characters with its length; false, without an effect, if it has others. The bytes are reserved. */
  #writeAscii(value: string): boolean {
    const [buffer, start] = [this.#buffer, this.#length + 4];
    for (let index = 0; index < value.length; index += 1) {
      const code = value.charCodeAt(index);
      if (code > 127) return false;
      buffer[start + index] = code;
    }
    this.#writeInt32(this.#length, value.length);
    this.#length = start + value.length;
    return true;
  }

  #writeInt32(at: number, value: number): void {
    this.#buffer[at] = value >>> 24;
    this.#buffer[at + 1] = value >>> 16;
    this.#buffer[at + 2] = value >>> 8;
    this.#buffer[at + 3] = value;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.max(2 * this.#buffer.length, this.#length + bytes));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}

/** The value of a digit of lower-case hex. */
function digit(hex: string, index: number): number {
  const code = hex.charCodeAt(index);
  return code < codeOfA ? code - codeOfZero : code - codeOfA + 10;
}

const codeOfZero = 48;
const codeOfA = 97;
