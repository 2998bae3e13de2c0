import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { below, isDrawn, oneOf, type Random } from "./_draw.ts";
import { garbageBytes, mutatedBytes } from "./_mutate-bytes.ts";
import { fieldsNearLimit } from "./_near-limits.ts";

interface Field {
  readonly number: number;
  readonly type: WireType;
  readonly bytes: Uint8Array;
}

const levelsMax = 3000;

/** The bytes of a message after mutations that know fields, at any depth, or after some that know nothing. */
export function mutatedProtobuf(bytes: Uint8Array, random: Random): Uint8Array {
  if (isDrawn(random, 0.15)) return mutatedBytes(bytes, random);
  if (isDrawn(random, 0.005)) return nested(bytes, oneOf(random, [1, 2, 10, 11, 14]));
  let mutated = bytes;
  for (let count = 1 + below(random, 3); count > 0; count -= 1) mutated = once(mutated, random, 0);
  return mutated;
}

/** One field of a message, or of a message within it, as often as a body may have fields, or a multiple of that. */
export function crowdedProtobuf(bytes: Uint8Array, random: Random, times = 1): Uint8Array {
  const fields = fieldsIn(bytes) ?? [];
  const at = below(random, Math.max(1, fields.length));
  const field = fields[at];
  if (field?.type === WireType.LengthDelimited && field.bytes.length > 1 && isDrawn(random, 0.7))
    return written(fields.toSpliced(at, 1, { ...field, bytes: crowdedProtobuf(field.bytes, random, times) }));
  const small = { number: field?.number ?? 1, type: WireType.LengthDelimited, bytes: new Uint8Array() };
  return written([...fields, ...Array.from({ length: times * fieldsNearLimit(random) }, () => small)]);
}

/** One field is changed, or one within it. */
function once(bytes: Uint8Array, random: Random, depth: number): Uint8Array {
  const fields = fieldsIn(bytes);
  if (fields === undefined || fields.length === 0) return mutatedBytes(bytes, random);
  const at = below(random, fields.length);
  const field = fields[at] ?? { number: 1, type: WireType.Varint, bytes: new Uint8Array([0]) };
  const isDeeper =
    field.type === WireType.LengthDelimited && field.bytes.length > 1 && depth < 12 && isDrawn(random, 0.75);
  if (isDeeper) return written(fields.toSpliced(at, 1, { ...field, bytes: once(field.bytes, random, depth + 1) }));
  return written(fields.toSpliced(at, 1, ...instead(field, fields, random)));
}

function instead(field: Field, fields: readonly Field[], random: Random): readonly Field[] {
  switch (below(random, 7)) {
    case 0:
      return [];
    case 1:
      return [field, field];
    case 2:
      return [{ ...field, number: 1 + below(random, 20) }];
    case 3:
      return [varint(field.number, random)];
    case 4:
      return [{ ...field, type: WireType.LengthDelimited, bytes: garbageBytes(random, 60) }];
    case 5:
      return [oneOf(random, fields), field];
    default:
      return [
        { ...field, type: oneOf(random, [WireType.Varint, WireType.Bit32, WireType.Bit64, WireType.StartGroup]) },
      ];
  }
}

function varint(number: number, random: Random): Field {
  const value = oneOf(random, [0n, 1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n]);
  return { number, type: WireType.Varint, bytes: new BinaryWriter().uint64(value).finish() };
}

/** The fields of a message with their values; undefined if the bytes are not a message. */
function fieldsIn(bytes: Uint8Array): readonly Field[] | undefined {
  try {
    const reader = new BinaryReader(bytes);
    const fields: Field[] = [];
    while (reader.pos < reader.len) {
      const [number, type] = reader.tag();
      const begin = reader.pos;
      if (type === WireType.LengthDelimited) fields.push({ number, type, bytes: reader.bytes() });
      else {
        reader.skip(type, number);
        fields.push({ number, type, bytes: bytes.slice(begin, reader.pos) });
      }
    }
    return fields;
  } catch {
    return undefined;
  }
}

function written(fields: readonly Field[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const { number, type, bytes } of fields) {
    writer.tag(number, type);
    if (type === WireType.LengthDelimited) writer.bytes(bytes);
    else writer.raw(bytes);
  }
  return writer.finish();
}

/** Messages within messages, far deeper than any reader should follow. */
function nested(bytes: Uint8Array, number: number): Uint8Array {
  let message = bytes;
  for (let level = 0; level < levelsMax; level += 1)
    message = new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(message).finish();
  return message;
}
