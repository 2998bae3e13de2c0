import { Inflate } from "fflate";
import type { LimitName, LimitValues } from "../../foundation/limits/limits.ts";
import { ArchiveError, invalidDar, parseError } from "./archive-error.ts";

/** An entry of a zip. Its bytes stay packed until `unpack`. */
export interface ZipEntry {
  readonly name: string;
  readonly packed: Uint8Array;
  readonly isDeflated: boolean;
  /** The size that the zip claims. */
  readonly size: number;
}

export type ZipLimits = Pick<LimitValues, "archiveEntriesMax" | "archiveEntryBytesMax" | "archiveBytesMax">;

/** The records of a zip: their signatures and the sizes of their fixed parts (APPNOTE.TXT 6.3). */
const endRecord = { signature: 0x06054b50, size: 22, commentMax: 0xffff } as const;
const directoryEntry = { signature: 0x02014b50, size: 46 } as const;
const localHeader = { signature: 0x04034b50, size: 30 } as const;
const methods = { stored: 0, deflated: 8 } as const;

/** The files of a zip by name, as its directory lists them. Bytes without a directory have no entries. Throws ArchiveError. */
export function zipEntries(bytes: Uint8Array, limits: ZipLimits): ReadonlyMap<string, ZipEntry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endRecordAt(view);
  const entries = new Map<string, ZipEntry>();
  if (end === undefined) return entries;
  const count = view.getUint16(end + 10, true);
  if (count > limits.archiveEntriesMax) throw zipBomb("archiveEntriesMax");
  let at = view.getUint32(end + 16, true);
  let total = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + directoryEntry.size > end || view.getUint32(at, true) !== directoryEntry.signature) throw invalidDar();
    const entry = entryAt(bytes, view, at);
    at += directoryEntry.size + [28, 30, 32].reduce((sum, part) => sum + view.getUint16(at + part, true), 0);
    total += entry.size;
    if (entry.size > limits.archiveEntryBytesMax) throw zipBomb("archiveEntryBytesMax");
    if (total > limits.archiveBytesMax) throw zipBomb("archiveBytesMax");
    if (!entry.name.endsWith("/")) entries.set(entry.name, entry);
  }
  return entries;
}

/** The position of the last record of a zip; a comment of any length may follow it. */
function endRecordAt(view: DataView): number | undefined {
  const last = view.byteLength - endRecord.size;
  for (let at = last; at >= 0 && at >= last - endRecord.commentMax; at -= 1)
    if (view.getUint32(at, true) === endRecord.signature) return at;
  return undefined;
}

function entryAt(bytes: Uint8Array, view: DataView, at: number): ZipEntry {
  const [method, packedSize, size] = [
    view.getUint16(at + 10, true),
    view.getUint32(at + 20, true),
    view.getUint32(at + 24, true),
  ];
  const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + view.getUint16(at + 28, true)));
  const local = view.getUint32(at + 42, true);
  const isEncrypted = (view.getUint16(at + 8, true) & 1) === 1;
  if (isEncrypted || (method !== methods.stored && method !== methods.deflated))
    throw parseError(`the entry ${name} is encrypted or has the compression method ${method}`);
  if (local + localHeader.size > bytes.length || view.getUint32(local, true) !== localHeader.signature)
    throw parseError(`the entry ${name} has no header`);
  const start = local + localHeader.size + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  if (start + packedSize > bytes.length) throw parseError(`the entry ${name} exceeds the file`);
  const isDeflated = method === methods.deflated;
  if (!isDeflated && size !== packedSize) throw parseError(`the entry ${name} has another size`);
  return { name, packed: bytes.subarray(start, start + packedSize), isDeflated, size };
}

/** Packed bytes that are given to the decoder at a time: their content can be a thousand times as large. */
const chunkBytes: number = 16 * 1024;

/** The content of an entry. Throws ArchiveError for one that is not as large as the zip claims. */
export function unpack({ name, packed, isDeflated, size }: ZipEntry): Uint8Array {
  if (!isDeflated) return packed;
  const content = new Uint8Array(size);
  let length = 0;
  const inflate = new Inflate((chunk) => {
    if (length + chunk.length > size) throw parseError(`the entry ${name} is larger than the zip says`);
    content.set(chunk, length);
    length += chunk.length;
  });
  try {
    for (let at = 0; at < packed.length; at += chunkBytes)
      inflate.push(packed.subarray(at, at + chunkBytes), at + chunkBytes >= packed.length);
  } catch (error) {
    throw error instanceof ArchiveError ? error : parseError(`the entry ${name} cannot be inflated`);
  }
  if (length !== size) throw parseError(`the entry ${name} is smaller than the zip says`);
  return content;
}

function zipBomb(limit: LimitName): ArchiveError {
  const msg = `An entry is too large, or there are too many (--limit ${limit})`;
  return new ArchiveError("ZIP_BOMB", "Dar zip file seems to be a zip bomb.", { msg }, limit);
}
