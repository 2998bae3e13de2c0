import { isJsonObject, type Json } from "../../../foundation/json/json.ts";
import { EntryCutter, type RecordingProblem } from "../../../recordings/har/entry-cutter.ts";
import { closing } from "../../../recordings/har/recording-frame.ts";
import { fileChunks, type OpenFile } from "../../programs/files/file-chunks.ts";
import type { NamedFile } from "../../programs/files/named-file.ts";
import { recordingProblemText } from "../../programs/files/recording.ts";
import { orUnreadable } from "../../programs/files/unreadable.ts";
import { UserError } from "../../programs/user-error.ts";
import { openToWrite } from "./recording-file.ts";
import { lockRecording } from "./recording-lock.ts";

/** The result of a repair; `removedBytes` is the length of the incomplete last entry. */
interface RecoveryResult {
  readonly entries: number;
  readonly isComplete: boolean;
  readonly removedBytes: number;
}

/**
 * Repairs a recording after a crash: removes an incomplete last entry and writes the closing brackets. A complete recording
 * does not change. Throws a UserError and changes nothing if the file is not a recording, if another process writes it, or if
 * it has other damage.
 */
export async function recoverRecording(file: NamedFile): Promise<RecoveryResult> {
  await using handle = await openToWrite(file);
  const open = { ...file, handle };
  const release = lockRecording(file);
  try {
    const { entries, end, problem } = await scan(open);
    if (problem === undefined) return { entries, isComplete: true, removedBytes: 0 };
    const tail = await tailFrom(open, end);
    if (end === 0 || tail.lineEnds > 1) throw new UserError(recordingProblemText(file.name, problem));
    await handle.truncate(end);
    await handle.write(closing, end);
    await handle.sync();
    return { entries, isComplete: false, removedBytes: tail.bytes };
  } finally {
    release();
  }
}

interface ScanResult {
  /** Number of complete entries, and the offset after the last one or after the opening line; 0 without an opening line. */
  readonly entries: number;
  readonly end: number;
  readonly problem: RecordingProblem | undefined;
}

const opening = /^\{"log":\{.*"entries":\[$/;

async function scan(file: OpenFile): Promise<ScanResult> {
  const cutter = new EntryCutter();
  let [entries, end] = [0, 0];
  for await (const chunk of fileChunks(file, 0)) {
    if (end === 0 && entries === 0) end = openingEnd(chunk);
    for (const cut of cutter.push(chunk)) {
      if (cut.type === "invalid") return { entries, end, problem: cut };
      // The rest of the old closing brackets behind an incomplete line can look like an object.
      if (cut.type === "entry" && !(cut.isInLog && isEntry(cut.value))) {
        const { line, byte } = cut;
        return { entries, end, problem: { type: "invalid", problem: "it is truncated", entries, line, byte } };
      }
      entries += 1;
      end = cut.byte + cut.length;
    }
  }
  return { entries, end, problem: cutter.end() ?? (await trailingComma(file, { entries, end })) };
}

/** The problem of a comma without an entry: a crash after the first byte of an append. Readers accept it, but it is invalid JSON. */
async function trailingComma(
  file: OpenFile,
  { entries, end }: Pick<ScanResult, "entries" | "end">,
): Promise<RecordingProblem | undefined> {
  if (entries === 0) return undefined;
  const { buffer, bytesRead } = await orUnreadable(file, file.handle.read(new Uint8Array(100), 0, 100, end));
  const text = new TextDecoder().decode(buffer.subarray(0, bytesRead));
  return /^\s*,\s*\]/.test(text)
    ? { type: "invalid", problem: "it is truncated", entries, line: 0, byte: end }
    : undefined;
}

/** The offset after the opening line, or 0. The line is written when the file is created, so a crash cannot damage it. */
function openingEnd(chunk: Uint8Array): number {
  const [line = ""] = new TextDecoder().decode(chunk.subarray(0, 1000)).split("\n");
  return opening.test(line) ? Buffer.byteLength(line) : 0;
}

function isEntry(value: Json): boolean {
  return isJsonObject(value) && isJsonObject(value["request"]) && isJsonObject(value["response"]);
}

/** Length and line count of the rest of the file. After a crash only the last line is incomplete. */
async function tailFrom(file: OpenFile, begin: number): Promise<{ readonly bytes: number; readonly lineEnds: number }> {
  let [bytes, lineEnds] = [0, 0];
  for await (const chunk of fileChunks(file, begin)) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === lineFeed) lineEnds += 1;
  }
  return { bytes, lineEnds };
}

const lineFeed = 10;
