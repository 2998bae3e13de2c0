import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { openRecording, recordingProblemText } from "../../src/entrypoints/programs/files/recording.ts";
import { UserError } from "../../src/entrypoints/programs/user-error.ts";
import { formatJson } from "../../src/foundation/json/json.ts";
import { harEntry } from "../../src/recordings/har/har-entry.ts";
import { type RecordingItem, readRecording } from "../../src/recordings/har/read-recording.ts";
import type { RecordingLimits } from "../../src/recordings/har/recording-limits.ts";
import { below, isDrawn, oneOf, type Random } from "./_draw.ts";
import type { FuzzKind, FuzzTarget } from "./_fuzz-kind.ts";
import { garbageBytes, mutatedBytes } from "./_mutate-bytes.ts";
import { limitsOfRecordings } from "./_planted.ts";
import { compressedEntry, entryNearLimits, limitsProblem, ratioProblem, smallLimits } from "./_recording-limits.ts";
import { type RecordingUse, recordingUses } from "./_recording-uses.ts";
import { type GoodRecordings, goodRecordings, mutatedRecording } from "./_recordings.ts";
import { targetOf, thrown } from "./_target-of.ts";

/** Recordings of all forms, in chunks of any size, and everything that is done with one. */
export const KIND: FuzzKind = {
  name: "har",
  open: async ({ fault, largeShare = largeShareDefault } = {}) => {
    const good = await goodRecordings();
    const uses = recordingUses();
    const folder = mkdtempSync(join(tmpdir(), "understudy-fuzz-"));
    const target: FuzzTarget = targetOf({
      draw: (random) => drawn(good, uses, largeShare, random),
      check: (input) => check(input, join(folder, "x.har"), limitsOfRecordings(fault)),
      show: ({ bytes, packing }) => `(${packing ?? "not packed"})\n${new TextDecoder().decode(bytes)}`,
    });
    return { ...target, close: async () => rmSync(folder, { recursive: true }) };
  },
};

/** Share of recordings with a body that decodes to many more bytes, which takes longer than other inputs. */
const largeShareDefault = 0.002;

/** Chunks of a recording: more of them would take longer than what reads them. */
const chunksMax = 100_000;

interface Input {
  readonly bytes: Uint8Array;
  readonly chunkMax: number;
  /** How the file is packed, where it is read from disk. */
  readonly packing: "gzip" | "zstd" | undefined;
  readonly use: RecordingUse;
  /** Small limits, which a part of the inputs reaches. */
  readonly limits: RecordingLimits;
}

function drawn(good: GoodRecordings, uses: readonly RecordingUse[], largeShare: number, random: Random): Input {
  const limits = smallLimits(random);
  if (isDrawn(random, largeShare)) {
    const bytes = new TextEncoder().encode(`[${compressedEntry(random)}]`);
    return { bytes, chunkMax: 100_000, packing: undefined, use: oneOf(random, uses), limits };
  }
  const text = isDrawn(random, 0.3) ? nearLimits(good, limits, random) : mutatedRecording(good, random);
  const bytes = new TextEncoder().encode(text);
  return {
    bytes: isDrawn(random, 0.03)
      ? garbageBytes(random, 500)
      : isDrawn(random, 0.2)
        ? mutatedBytes(bytes, random)
        : bytes,
    chunkMax: Math.max(oneOf(random, [1, 7, 100, 5000]), Math.ceil(bytes.length / chunksMax)),
    packing: isDrawn(random, 0.01) ? oneOf(random, ["gzip", "zstd"]) : undefined,
    use: oneOf(random, uses),
    limits,
  };
}

/** Entries close to the limits between others. */
function nearLimits(good: GoodRecordings, limits: RecordingLimits, random: Random): string {
  const lines = Array.from({ length: 1 + below(random, 4) }, () =>
    isDrawn(random, 0.7) ? entryNearLimits(random, limits) : formatJson(oneOf(random, good.entries)),
  );
  return `{"log":{"entries":[\n${lines.join(oneOf(random, [",\n", ","]))}\n]}}`;
}

async function check(
  { bytes, chunkMax, packing, use, limits }: Input,
  file: string,
  large: RecordingLimits,
): Promise<string | undefined> {
  if (packing !== undefined) return packed(bytes, packing, file);
  const whole = await itemsOf(readRecording(chunksOf(bytes, bytes.length), { limits: large }));
  const ratio = ratioProblem(whole, bytes.length);
  if (ratio !== undefined) return ratio;
  const inChunks = await itemsOf(readRecording(chunksOf(bytes, chunkMax), { limits: large }));
  const limited = await itemsOf(readRecording(chunksOf(bytes, bytes.length), { limits }));
  const limitedInChunks = await itemsOf(readRecording(chunksOf(bytes, chunkMax), { limits }));
  const beyond = limitsProblem(limited, limitedInChunks, limits);
  if (beyond !== undefined) return beyond;
  const exchanges = (items: readonly RecordingItem[]) =>
    items.flatMap((item) => (item.type === "exchange" ? [item.exchange] : []));
  const text = (items: readonly RecordingItem[]) => formatJson(exchanges(items).map((exchange) => harEntry(exchange)));
  if (text(whole) !== text(inChunks)) return "the result depends on the chunks";
  if (isInvalid(whole) !== isInvalid(inChunks)) return "the problem depends on the chunks";
  const early = whole.slice(0, -1).some(({ type }) => type === "invalid");
  return early ? "items follow the problem of a recording" : use(exchanges(whole), bytes);
}

function isInvalid(items: readonly RecordingItem[]): boolean {
  return items.at(-1)?.type === "invalid";
}

async function itemsOf(recording: AsyncIterable<RecordingItem>): Promise<readonly RecordingItem[]> {
  const items: RecordingItem[] = [];
  for await (const item of recording) items.push(item);
  return items;
}

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** A file that is packed, and then broken as often as it is not. */
async function packed(bytes: Uint8Array, packing: "gzip" | "zstd", file: string): Promise<string | undefined> {
  const whole = packing === "gzip" ? gzipSync(bytes) : zstdCompressSync(bytes);
  writeFileSync(file, bytes.length % 2 === 0 ? whole : whole.subarray(0, Math.floor(whole.length / 2)));
  try {
    for await (const item of openRecording(file, { folder: "/", input: Readable.from([]) }))
      if (item.type === "invalid") recordingProblemText(file, item);
    return undefined;
  } catch (error) {
    return error instanceof UserError ? undefined : thrown(error);
  }
}
