import { type FileHandle, open } from "node:fs/promises";
import type { Exchange } from "../http/exchange.ts";
import type { RecordingMistake } from "../recording/entry-cutter.ts";
import { type Recorded, readRecording } from "../recording/read-recording.ts";
import { UserError } from "./user-error.ts";

const chunkBytes = 1024 * 1024;

/** The exchanges of a recording, `-` for standard input, and a mistake where it ends in one. Throws a UserError where there is no such file. */
export function openRecording(
  file: string,
  isWanted?: (index: number) => boolean,
): AsyncGenerator<Recorded | RecordingMistake> {
  return readRecording(file === "-" ? process.stdin : chunksOf(file), isWanted);
}

/** The exchanges of a recording that has no mistake. Throws a UserError where it has one. */
export async function* exchangesOf(file: string): AsyncGenerator<Exchange> {
  for await (const item of openRecording(file)) {
    if (item.type === "mistaken") throw new UserError(explained(file, item));
    yield item.exchange;
  }
}

/** A mistake for people: what is wrong, where and what to do. */
export function explained(file: string, { problem, entries, line, byte }: RecordingMistake): string {
  if (entries === 0) return `${file} is no recording: ${problem}. Export HAR 1.2 from a browser or proxy.`;
  const place = `after ${entries} ${entries === 1 ? "entry" : "entries"}, at line ${line}, byte ${byte}`;
  return `${file}: ${problem} ${place}. Record it again, or take out what comes from there on.`;
}

/** The chunks share their memory. */
async function* chunksOf(file: string): AsyncGenerator<Uint8Array> {
  await using handle = await opened(file);
  const chunk = new Uint8Array(chunkBytes);
  for (;;) {
    const bytesRead = await readInto(handle, chunk, file);
    if (bytesRead === 0) return;
    yield chunk.subarray(0, bytesRead);
  }
}

async function opened(file: string): Promise<FileHandle> {
  try {
    return await open(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

async function readInto(handle: FileHandle, chunk: Uint8Array, file: string): Promise<number> {
  try {
    return (await handle.read(chunk)).bytesRead;
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): unknown {
  if (!(error instanceof Error && "code" in error)) return error;
  return new UserError(`There is no file ${file}, or it cannot be read.`);
}
