import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { createGzip, createZstdCompress, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { recordingLimits } from "../../../recordings/har/recording-limits.ts";
import { openRecording } from "./recording.ts";

const limits = { ...recordingLimits, entryBytesMax: 100_000 };
const anyRatio = { ...limits, compressionRatioMax: Number.POSITIVE_INFINITY };

/** Compressed text without end, with the number of compressed bytes that were read. */
function bomb(begin: string, repeated: string, compression: "gzip" | "zstd") {
  const source = { bytes: 0, isEnded: false };
  function* texts() {
    yield begin;
    for (let count = 0; count < 10_000; count += 1) yield repeated;
  }
  async function* chunks() {
    const compressing = Readable.from(texts()).pipe(compression === "gzip" ? createGzip() : createZstdCompress());
    try {
      for await (const chunk of compressing) {
        source.bytes += chunk.length;
        yield chunk;
      }
    } finally {
      source.isEnded = true;
    }
  }
  return { source, input: Readable.from(chunks()) };
}

async function problemsOf(input: Readable, within = limits): Promise<readonly unknown[]> {
  const problems: unknown[] = [];
  try {
    for await (const item of openRecording("-", { folder: "/", input }, undefined, within))
      if (item.type !== "exchange") problems.push(item.problem);
  } catch (error) {
    problems.push(error instanceof Error ? error.message : error);
  }
  return problems;
}

const entryProblem = "an entry exceeds the limit of 100000 bytes (entryBytesMax)";
const ratioProblem =
  "-: its content exceeds the compression ratio of 250 to 1 (compressionRatioMax). Decompress it first.";

test.each([
  ["gzip", "one entry", '{"log":{"entries":[{"x":"', "a", anyRatio, entryProblem],
  ["zstd", "one entry", '{"log":{"entries":[{"x":"', "a", anyRatio, entryProblem],
  ["gzip", "spaces", " ", " ", limits, ratioProblem],
  ["zstd", "spaces", " ", " ", limits, ratioProblem],
] as const)(
  "stops the decompression of %s with %s without end",
  async (compression, _name, begin, unit, within, problem) => {
    const { source, input } = bomb(begin, unit.repeat(100_000), compression);
    expect(await problemsOf(input, within)).toEqual([problem]);
    await finished(input).catch(() => undefined);
    expect(source.isEnded).toBe(true);
    expect(source.bytes).toBeLessThan(300_000);
  },
);

test("a file that decompresses to the size of one entry may have any compression ratio", async () => {
  const bytes = gzipSync(`{"log":{"entries":[]}}${" ".repeat(90_000)}`);
  expect(90_000 / bytes.length).toBeGreaterThan(limits.compressionRatioMax);
  expect(await problemsOf(Readable.from([bytes]))).toEqual([]);
});
