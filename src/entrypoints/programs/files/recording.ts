import { readFileSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import type { Exchange } from "../../../foundation/http/exchange.ts";
import type { AttachedFiles } from "../../../recordings/har/attached-files.ts";
import type { RecordingProblem, SkippedEntry } from "../../../recordings/har/entry-cutter.ts";
import { inOrder } from "../../../recordings/har/in-order.ts";
import { type Recorded, type RecordingItem, readRecording } from "../../../recordings/har/read-recording.ts";
import { type RecordingLimits, recordingLimits } from "../../../recordings/har/recording-limits.ts";
import type { Problem } from "../../../scenarios/files/problem.ts";
import type { ProgramCaller } from "../caller.ts";
import { UserError } from "../user-error.ts";
import { decodedChunks } from "./decompressed.ts";
import { fileChunks } from "./file-chunks.ts";
import { type NamedFile, namedFile, standardInput } from "./named-file.ts";
import { orUnreadable } from "./unreadable.ts";

/** The working folder and standard input, and what names the parts of a recording that are skipped. */
export type InputSource = Pick<ProgramCaller, "folder" | "input"> & Partial<Pick<ProgramCaller, "printError">>;

/**
 * The items of a recording. The file is in UTF-8 or UTF-16, and plain or compressed with gzip or zstd; `-` is standard input. Throws a UserError if
 * the file is not readable.
 */
export function openRecording(
  file: string,
  source: InputSource,
  isWanted?: (byte: number) => boolean,
  limits: RecordingLimits = recordingLimits,
): AsyncGenerator<RecordingItem> {
  const named = namedFile(file, source);
  const isInput = file === standardInput;
  const chunks = decodedChunks(isInput ? source.input : chunksOf(named), file, limits);
  const onNotSaved = (requests: number) =>
    source.printError?.(
      `${file}: skipped, no saved response: ${requests} ${requests === 1 ? "request" : "requests"}. Send each in Postman, and save its response as an example.`,
    );
  return readRecording(chunks, { isWanted, limits, attached: isInput ? undefined : filesBeside(named), onNotSaved });
}

/** The files beside a recording and in folders there, each up to the size of a body. */
export function filesBeside({ path }: NamedFile): AttachedFiles {
  const folder = dirname(path);
  return (name) => {
    const file = resolve(folder, name);
    if (!file.startsWith(join(folder, sep))) return undefined;
    try {
      const stats = statSync(file);
      return stats.isFile() && stats.size <= recordingLimits.recordedBodyBytesMax ? readFileSync(file) : undefined;
    } catch (error) {
      if (error instanceof Error && "code" in error) return undefined;
      throw error;
    }
  };
}

/** The exchanges of a recording in the order of their start. Throws a UserError for a problem in it, and for an entry that exceeds a limit. */
export async function* exchangesOf(file: string, source: InputSource): AsyncGenerator<Exchange> {
  for await (const item of inOrder(openRecording(file, source))) yield recordedOf(item, file).exchange;
}

/** The item, which is an exchange. Throws a UserError for a problem, and for an entry that exceeds a limit. */
export function recordedOf(item: RecordingItem, file: string): Recorded {
  if (item.type === "exchange") return item;
  throw new UserError(
    item.type === "invalid" ? recordingProblemText(file, item) : `${skippedText(file, item)} Remove this entry.`,
  );
}

/** The message for an entry that exceeds a limit. */
export function skippedText(file: string, skipped: SkippedEntry): string {
  return `${skippedProblem(file, skipped).problem}.`;
}

/** The problem of an entry that exceeds a limit; its text names the place. Entries are counted from 1. */
export function skippedProblem(file: string, { problem, index, line, byte }: SkippedEntry): Problem {
  const text = `${file}: entry ${index + 1}, at line ${line}, byte ${byte}, cannot be read: ${problem}`;
  return { file, line, column: undefined, problem: text, advice: "Remove this entry." };
}

/** The message for a problem: what is wrong, where, and what to do. */
export function recordingProblemText(file: string, found: RecordingProblem): string {
  const { problem, advice } = recordingProblem(file, found);
  return `${problem}. ${advice}`;
}

/** The problem that ends a recording; its text names the place. */
export function recordingProblem(file: string, { problem, entries, line, byte }: RecordingProblem): Problem {
  if (entries === 0) {
    const name = file === standardInput ? "Standard input" : file;
    const advice = /\.ya?ml$/i.test(file)
      ? " Run a scenario with understudy run; serve a fixture with understudy serve."
      : "";
    return {
      file,
      line,
      column: undefined,
      problem: `${name} is not a recording: ${problem}`,
      advice: `A recording is HAR 1.2 from understudy record, a browser or a proxy.${advice}`,
    };
  }
  const place = `after ${entries} ${entries === 1 ? "entry" : "entries"}, at line ${line}, byte ${byte}`;
  const advice = "Record it again, or remove the rest of the file from there.";
  return { file, line, column: undefined, problem: `${file}: ${problem} ${place}`, advice };
}

async function* chunksOf(file: NamedFile): AsyncGenerator<Uint8Array> {
  await using handle = await opened(file);
  yield* fileChunks({ ...file, handle });
}

/** Opens a file. Throws a UserError if it is not readable. */
export function opened(file: NamedFile): Promise<FileHandle> {
  return orUnreadable(file, open(file.path));
}
