import { readSync } from "node:fs";

const lineFeed = 10;
/** Bytes in which a line that goes on behind its part has to end; a longer one leaves the file to one thread. */
const restBytes: number = 1024 * 1024;

/** Whole lines, and where the first of them begins in the file. */
export interface Lines {
  readonly bytes: Uint8Array;
  readonly at: number;
}

/** Up to so many bytes from a place of an open file on. */
export function bytesAt(descriptor: number, at: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  return bytes.subarray(0, readSync(descriptor, bytes, { position: at }));
}

/** The lines that begin in a part of an open file, which is not its beginning; undefined where one of them is too long. */
export function linesFrom(descriptor: number, at: number, length: number): Lines | undefined {
  // A line begins behind a line feed, and so does the first one if the part begins with it.
  const wanted = length + 1 + restBytes;
  const bytes = bytesAt(descriptor, at - 1, wanted);
  const first = bytes.indexOf(lineFeed) + 1;
  if (first === 0 || first > length) return { bytes: new Uint8Array(), at };
  const isLast = bytes.length < wanted;
  const last = bytes.indexOf(lineFeed, length);
  if (last < 0 && !isLast) return undefined;
  return { bytes: bytes.subarray(first, last < 0 ? bytes.length : last + 1), at: at - 1 + first };
}
