// A thread of `ExaminingThreads`: reads lines of recordings and judges each exchange for itself.
import { parentPort, workerData } from "node:worker_threads";
import { BatchWriter } from "../conformance/examined-batch.ts";
import { Examiner } from "../conformance/examiner.ts";
import { bytesOf, recordedSpan } from "../conformance/turns.ts";
import { createMeasure } from "../conformance/verdict-on.ts";
import { plainEntries } from "../recording/plain-entries.ts";
import { entryExchange } from "../recording/recorded-exchange.ts";
import { loadSpec } from "../spec/spec.ts";
import type { Chunk, ExaminedChunk, ThreadSettings } from "./examining-threads.ts";
import { linesFrom } from "./lines-of-file.ts";

const { profile, level, areNeighboursJudged }: ThreadSettings = workerData;
const spec = loadSpec(profile, { hasNeighbours: true });
const examiner = new Examiner({ spec, areNeighboursJudged }, createMeasure({ spec, level }));

parentPort?.on("message", (chunk: Chunk) => parentPort?.postMessage(examinedIn(chunk)));

function examinedIn({ descriptor, at: from, length }: Chunk): ExaminedChunk | undefined {
  const lines = linesFrom(descriptor, from, length);
  if (lines === undefined) return undefined;
  const { bytes, at } = lines;
  const writer = new BatchWriter();
  const entries = plainEntries(bytes);
  for (let next = entries.next(); ; next = entries.next()) {
    if (next.done === true) return { batch: writer.batch(), end: next.value };
    if (next.value === undefined) return undefined;
    const exchange = entryExchange(next.value.value);
    const span = recordedSpan(exchange);
    const place = { at: at + next.value.at, entryBytes: next.value.length, span, bodyBytes: bytesOf(exchange) };
    writer.add(place, examiner.examineRecorded(exchange, span));
  }
}
