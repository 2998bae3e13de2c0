import { closeSync, fstatSync, openSync } from "node:fs";
import { batchReader } from "../conformance/examined-batch.ts";
import { Judge, type JudgeSettings } from "../conformance/judge.ts";
import type { Verdict } from "../conformance/verdict.ts";
import type { Exchange } from "../http/exchange.ts";
import { isPlainEnd, plainBeginning, plainEntries } from "../recording/plain-entries.ts";
import { entryExchange } from "../recording/recorded-exchange.ts";
import type { Chunk, ExaminingThreads } from "./examining-threads.ts";
import { bytesAt } from "./lines-of-file.ts";
import { UserError } from "./user-error.ts";

/** Bytes of a part of the file that a thread examines at once. */
const chunkBytes: number = 1024 * 1024;

/** How a file is judged by several threads. */
export interface PlainJudging {
  readonly settings: JudgeSettings;
  readonly verdict: Verdict;
  readonly threads: ExaminingThreads;
  readonly progress: (entries: number) => void;
}

/**
 * Judges a HAR with an entry a line, as one thread would to the letter. Gives false for a file that is anything else, also
 * one that breaks off: the verdict then has part of it, and one thread has to begin anew and say what is wrong. Throws
 * ThreadEnded, and a UserError for a file that somebody changes meanwhile.
 */
export async function judgePlainFile(
  file: string,
  { settings, verdict, threads, progress }: PlainJudging,
): Promise<boolean> {
  using opened = openedFile(file);
  if (opened === undefined) return false;
  const { descriptor } = opened;
  const begin = plainBeginning(bytesAt(descriptor, 0, chunkBytes));
  if (begin === undefined) return false;
  const judge = new Judge(settings, verdict);
  const read = batchReader(settings.spec, (at, entryBytes) => entryAt(descriptor, at, entryBytes));
  let [entries, end]: [number, string | undefined] = [0, undefined];
  for await (const chunk of threads.examined(chunksOf(descriptor, begin))) {
    if (chunk === undefined || end !== undefined) return false;
    for (const { span, bodyBytes, examined } of read(chunk.batch)) judge.addExamined(span, bodyBytes, examined);
    entries += chunk.batch.rows.length;
    end = chunk.end;
    progress(entries);
  }
  if (end === undefined || !isPlainEnd(end)) return false;
  judge.end();
  return true;
}

interface OpenedFile extends Disposable {
  readonly descriptor: number;
}

/** Undefined where the file cannot be opened. */
function openedFile(file: string): OpenedFile | undefined {
  try {
    const descriptor = openSync(file, "r");
    return { descriptor, [Symbol.dispose]: () => closeSync(descriptor) };
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function* chunksOf(descriptor: number, begin: number): Generator<Chunk> {
  const { size } = fstatSync(descriptor);
  for (let at = begin; at < size; at += chunkBytes) yield { descriptor, at, length: chunkBytes };
}

function entryAt(descriptor: number, at: number, length: number): Exchange {
  const entry = plainEntries(bytesAt(descriptor, at, length)).next().value;
  if (typeof entry !== "object")
    throw new UserError("The recording was changed while it was read. Check it when nobody writes to it any more.");
  return entryExchange(entry.value);
}
