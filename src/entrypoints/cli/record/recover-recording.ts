import type { FileHandle } from "node:fs/promises";
import { isJsonObject, type Json } from "../../../foundation/json/json.ts";
import { EntryCutter, type RecordingProblem } from "../../../recordings/har/entry-cutter.ts";
import { closing } from "../../../recordings/har/recording-frame.ts";
import type { NamedFile } from "../files/named-file.ts";
import { explained } from "../files/recording.ts";
import { UserError } from "../user-error.ts";
import { openToWrite } from "./recording-file.ts";
import { lockRecording } from "./recording-lock.ts";

/** What became of a recording that a crash may have left; `cutBytes` is what of a torn last line was taken out. */
export interface Recovered {
  readonly entries: number;
  readonly isWhole: boolean;
  readonly cutBytes: number;
}

/**
 * Closes what a crash left of a recording: cuts off a torn last line and puts the closing brackets behind the entries. A whole
 * recording stays as it is. Throws a UserError, and changes nothing, where the file is none, where another process writes it,
 * and where it is damaged in another way than by a crash.
 */
export async function recoverRecording(file: NamedFile): Promise<Recovered> {
  await using handle = await openToWrite(file);
  const release = lockRecording(file);
  try {
    const { entries, end, problem } = await look(handle);
    if (problem === undefined) return { entries, isWhole: true, cutBytes: 0 };
    const tail = await tailFrom(handle, end);
    if (end === 0 || tail.lineEnds > 1) throw new UserError(explained(file.name, problem));
    await handle.truncate(end);
    await handle.write(closing, end);
    await handle.sync();
    return { entries, isWhole: false, cutBytes: tail.bytes };
  } finally {
    release();
  }
}

interface Seen {
  /** Whole entries, and where the last of them ends, or the line that opens the list; 0 where there is none. */
  readonly entries: number;
  readonly end: number;
  readonly problem: RecordingProblem | undefined;
}

const opening = /^\{"log":\{.*"entries":\[$/;

async function look(handle: FileHandle): Promise<Seen> {
  const cutter = new EntryCutter();
  let [entries, end] = [0, 0];
  for await (const chunk of chunksFrom(handle, 0)) {
    if (end === 0 && entries === 0) end = openingEnd(chunk);
    for (const cut of cutter.push(chunk)) {
      if (cut.type === "invalid") return { entries, end, problem: cut };
      // What remains of the old closing behind a torn line may look like an object.
      if (!cut.isInLog || !isEntry(cut.value)) {
        const { line, byte } = cut;
        return { entries, end, problem: { type: "invalid", problem: "it is truncated", entries, line, byte } };
      }
      entries += 1;
      end = cut.byte + cut.length;
    }
  }
  return { entries, end, problem: cutter.end() ?? (await openComma(handle, { entries, end })) };
}

/** A comma without an entry behind it, which readers of recordings forgive, is no JSON: one byte of an append was written. */
async function openComma(
  handle: FileHandle,
  { entries, end }: Pick<Seen, "entries" | "end">,
): Promise<RecordingProblem | undefined> {
  if (entries === 0) return undefined;
  const { buffer, bytesRead } = await handle.read(new Uint8Array(100), 0, 100, end);
  const text = new TextDecoder().decode(buffer.subarray(0, bytesRead));
  return /^\s*,\s*\]/.test(text)
    ? { type: "invalid", problem: "it is truncated", entries, line: 0, byte: end }
    : undefined;
}

/** The first line is written with the file, so that no crash can tear it. */
function openingEnd(chunk: Uint8Array): number {
  const [line = ""] = new TextDecoder().decode(chunk.subarray(0, 1000)).split("\n");
  return opening.test(line) ? Buffer.byteLength(line) : 0;
}

function isEntry(value: Json): boolean {
  return isJsonObject(value) && isJsonObject(value["request"]) && isJsonObject(value["response"]);
}

/** A crash tears the last line alone. */
async function tailFrom(
  handle: FileHandle,
  begin: number,
): Promise<{ readonly bytes: number; readonly lineEnds: number }> {
  let [bytes, lineEnds] = [0, 0];
  for await (const chunk of chunksFrom(handle, begin)) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === lineFeed) lineEnds += 1;
  }
  return { bytes, lineEnds };
}

const lineFeed = 10;
const chunkBytes = 1024 * 1024;

/** The chunks share their memory. */
async function* chunksFrom(handle: FileHandle, begin: number): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(chunkBytes);
  for (let position = begin; ; ) {
    const { bytesRead } = await handle.read(chunk, 0, chunkBytes, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}
