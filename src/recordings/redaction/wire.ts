// Protobuf's wire format, read without a schema.

const varint = 0;
const fixed64 = 1;
const lengthDelimited = 2;
const fixed32 = 5;
const fieldMax = 536_870_911;
const varintBytesMax = 10;

/** A field with its tag; `start` and `end` enclose the value after its length. */
export interface WireField {
  readonly field: number;
  readonly isBytes: boolean;
  readonly tagStart: number;
  /** The end of the tag, where the length or the value begins. */
  readonly tagEnd: number;
  readonly start: number;
  readonly end: number;
}

/** The fields of a message; undefined if the bytes are empty or not a message. */
export function readWire(bytes: Uint8Array): readonly WireField[] | undefined {
  const fields: WireField[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tagEnd = skipVarint(bytes, at);
    if (tagEnd === undefined) return undefined;
    const tag = varintAt(bytes, at, tagEnd);
    const [field, type] = [Math.floor(tag / 8), tag % 8];
    if (field < 1 || field > fieldMax) return undefined;
    const bounds = valueBounds(bytes, tagEnd, type);
    if (bounds === undefined || bounds.end > bytes.length) return undefined;
    fields.push({ field, isBytes: type === lengthDelimited, tagStart: at, tagEnd, ...bounds });
    at = bounds.end;
  }
  return fields.length === 0 ? undefined : fields;
}

function valueBounds(
  bytes: Uint8Array,
  at: number,
  type: number,
): { readonly start: number; readonly end: number } | undefined {
  if (type === fixed64) return { start: at, end: at + 8 };
  if (type === fixed32) return { start: at, end: at + 4 };
  if (type !== varint && type !== lengthDelimited) return undefined;
  const end = skipVarint(bytes, at);
  if (end === undefined) return undefined;
  return type === varint ? { start: at, end } : { start: end, end: end + varintAt(bytes, at, end) };
}

function skipVarint(bytes: Uint8Array, from: number): number | undefined {
  const last = Math.min(bytes.length, from + varintBytesMax);
  for (let at = from; at < last; at += 1) if ((bytes[at] ?? 0) < 0x80) return at + 1;
  return undefined;
}

/** The varint as a number; exact for lengths and tags. */
function varintAt(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = end - 1; at >= start; at -= 1) value = value * 128 + ((bytes[at] ?? 0) & 0x7f);
  return value;
}

/** The message with new values in some of its length-delimited fields, and with adapted lengths. */
export function writeWire(
  bytes: Uint8Array,
  fields: readonly WireField[],
  values: ReadonlyMap<WireField, Uint8Array>,
): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const field of fields) {
    const value = values.get(field);
    if (value === undefined) parts.push(bytes.subarray(field.tagStart, field.end));
    else parts.push(bytes.subarray(field.tagStart, field.tagEnd), varintOf(value.length), value);
  }
  return joined(parts);
}

function varintOf(value: number): Uint8Array {
  const digits: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) digits.push((rest % 128) | 0x80);
  return Uint8Array.of(...digits, rest);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
