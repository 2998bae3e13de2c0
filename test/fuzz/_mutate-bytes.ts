import { below, garbage, isDrawn, oneOf, type Random } from "./_draw.ts";

/** Bytes that are no UTF-8, a byte order mark, a zero, and what ends lines. */
const hostileBytes: readonly (readonly number[])[] = [
  [0xff],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xe2, 0x82],
  [0xef, 0xbb, 0xbf],
  [0x00],
  [0x0d],
  [0x0a],
  [0x0d, 0x0a],
  [0x1a],
  [0x80],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
];

/** The bytes after one to four mutations that know nothing of them. */
export function mutatedBytes(bytes: Uint8Array, random: Random): Uint8Array {
  let mutated = bytes;
  for (let count = 1 + below(random, 4); count > 0; count -= 1) mutated = once(mutated, random);
  return mutated;
}

function once(bytes: Uint8Array, random: Random): Uint8Array {
  const at = below(random, bytes.length + 1);
  const end = Math.min(bytes.length, at + 1 + below(random, 40));
  switch (below(random, 7)) {
    case 0:
      return bytes.slice(0, at);
    case 1:
      return spliced(bytes, at, end, []);
    case 2:
      return spliced(bytes, end, end, bytes.subarray(at, end));
    case 3:
      return spliced(bytes, at, at, oneOf(random, hostileBytes));
    case 4:
      return spliced(bytes, at, end, oneOf(random, hostileBytes));
    case 5:
      return spliced(bytes, at, at + 1, [below(random, 256)]);
    default:
      return spliced(bytes, at, at + 1, [(bytes[at] ?? 0) ^ (1 << below(random, 8))]);
  }
}

function spliced(bytes: Uint8Array, from: number, to: number, insert: ArrayLike<number>): Uint8Array {
  const made = new Uint8Array(from + insert.length + Math.max(0, bytes.length - to));
  made.set(bytes.subarray(0, from));
  made.set(insert, from);
  made.set(bytes.subarray(to), from + insert.length);
  return made;
}

/** Bytes of nothing in particular. */
export function garbageBytes(random: Random, lengthMax: number): Uint8Array {
  if (isDrawn(random, 0.5)) return new TextEncoder().encode(garbage(random, lengthMax));
  return Uint8Array.from({ length: below(random, lengthMax) }, () => below(random, 256));
}
