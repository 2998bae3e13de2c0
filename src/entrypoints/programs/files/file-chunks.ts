import type { FileHandle } from "node:fs/promises";
import type { NamedFile } from "./named-file.ts";
import { orUnreadable } from "./unreadable.ts";

const chunkBytes = 1024 * 1024;

/** An open file with the name that messages have. */
export interface OpenFile extends NamedFile {
  readonly handle: FileHandle;
}

/**
 * The chunks of a file from one byte to another, or to its end; all share one buffer. Without `begin` it reads on from where
 * the file is: a named pipe has no positions. Throws a UserError if the file is not readable.
 */
export async function* fileChunks(
  file: OpenFile,
  begin?: number,
  end: number = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(chunkBytes);
  for (let at = begin ?? 0; at < end; ) {
    const position = begin === undefined ? null : at;
    const reading = file.handle.read(chunk, 0, Math.min(chunkBytes, end - at), position);
    const { bytesRead } = await orUnreadable(file, reading);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}
