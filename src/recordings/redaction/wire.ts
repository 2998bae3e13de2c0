import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

const varintBytesMax = 10;

/** A field of a message without a schema; `start` and `end` enclose the value after its length. */
export interface WireField {
  readonly field: number;
  readonly isBytes: boolean;
  readonly tagStart: number;
  /** The end of the tag, where the length or the value begins. */
  readonly tagEnd: number;
  readonly start: number;
  readonly end: number;
}

/** The fields of a message; undefined if the bytes are empty or not a message. Groups are not in use any more. */
export function readWire(bytes: Uint8Array): readonly WireField[] | undefined {
  const fields: WireField[] = [];
  const reader = new BinaryReader(bytes);
  try {
    while (reader.pos < reader.len) {
      const tagStart = reader.pos;
      const [field, type] = reader.tag();
      if (type === WireType.StartGroup || type === WireType.EndGroup) return undefined;
      const tagEnd = reader.pos;
      const isBytes = type === WireType.LengthDelimited;
      const { length } = isBytes ? reader.bytes() : reader.skip(type);
      if (type === WireType.Varint && length > varintBytesMax) return undefined;
      fields.push({ field, isBytes, tagStart, tagEnd, start: reader.pos - length, end: reader.pos });
    }
  } catch {
    return undefined;
  }
  return fields.length === 0 ? undefined : fields;
}

/** The message with new values in some of its length-delimited fields, and with adapted lengths. */
export function writeWire(
  bytes: Uint8Array,
  fields: readonly WireField[],
  values: ReadonlyMap<WireField, Uint8Array>,
): Uint8Array {
  const writer = new BinaryWriter();
  for (const field of fields) {
    const value = values.get(field);
    if (value === undefined) writer.raw(bytes.subarray(field.tagStart, field.end));
    else writer.raw(bytes.subarray(field.tagStart, field.tagEnd)).bytes(value);
  }
  return writer.finish();
}
