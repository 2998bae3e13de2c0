import type { FileHandle } from "node:fs/promises";

const chunkBytes = 1024 * 1024;

/** The chunks of a file from one byte to another, or to its end; all share one buffer. */
export async function* fileChunks(
  handle: FileHandle,
  begin: number,
  end: number = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(chunkBytes);
  for (let position = begin; position < end; ) {
    const { bytesRead } = await handle.read(chunk, 0, Math.min(chunkBytes, end - position), position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}
