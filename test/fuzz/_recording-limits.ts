import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import type { RecordingItem } from "../../src/recordings/har/read-recording.ts";
import { freeRatioBytes, type RecordingLimits, recordingLimits } from "../../src/recordings/har/recording-limits.ts";
import { below, isDrawn, oneOf, type Random } from "./_draw.ts";
import { nearLimit } from "./_near-limits.ts";

/** Limits that small recordings reach. */
export function smallLimits(random: Random): RecordingLimits {
  return {
    entryBytesMax: 200 + below(random, 4000),
    recordedBodyBytesMax: 1 + below(random, 1000),
    recordedUrlLengthMax: 20 + below(random, 200),
    recordedValuesMax: 20 + below(random, 200),
    compressionRatioMax: recordingLimits.compressionRatioMax,
  };
}

const codings = { gzip: gzipSync, br: brotliCompressSync, zstd: zstdCompressSync, deflate: deflateSync } as const;
const compressible = ["a", "[", "1,", '{"a":', '"', "\\", " ", "é"];

/** An entry with a size, a number of values, a depth, a number of headers, or a compressed body close to a limit. */
export function entryNearLimits(random: Random, limits: RecordingLimits): string {
  const { entryBytesMax, recordedBodyBytesMax, recordedValuesMax } = limits;
  const unit = oneOf(random, compressible);
  const body = unit.repeat(Math.ceil(sizeNear(random, recordedBodyBytesMax) / unit.length));
  switch (below(random, 6)) {
    case 0:
      return entry({ text: body });
    case 1:
      return entry({ encoding: "base64", text: Buffer.from(body).toString("base64") });
    case 2: {
      const coding = oneOf(random, ["gzip", "br", "zstd", "deflate"] as const);
      const name = isDrawn(random, 0.1) ? `${coding},`.repeat(below(random, 20)) : coding;
      return entry({ encoding: "base64", text: codings[coding](body).toString("base64") }, [
        { name: "Content-Encoding", value: name },
      ]);
    }
    case 3:
      return entry({ text: JSON.stringify(new Array(sizeNear(random, recordedValuesMax)).fill(1)) });
    case 4:
      return entry({ text: "" }, new Array(sizeNear(random, recordedValuesMax)).fill({}));
    default: {
      const size = sizeNear(random, entryBytesMax);
      return entry({ text: "" }, [{ name: "a", value: "b".repeat(Math.max(0, size - entry({}, [{}]).length)) }]);
    }
  }
}

/** An entry with a body that decodes to a size close to the limit, most of them with a ratio beyond the limit. */
export function compressedEntry(random: Random): string {
  const size = nearLimit(random, oneOf(random, [freeRatioBytes, recordingLimits.recordedBodyBytesMax]));
  const unit = oneOf(random, compressible);
  const coding = oneOf(random, ["gzip", "br", "zstd", "deflate"] as const);
  const body = codings[coding](unit.repeat(Math.ceil(size / unit.length)));
  const headers = [{ name: "Content-Encoding", value: coding }];
  return entry({ encoding: "base64", text: body.toString("base64") }, headers);
}

/** The problem of a body that has more bytes than a recording of so many bytes may decode to. */
export function ratioProblem(items: readonly RecordingItem[], recordingBytes: number): string | undefined {
  const bytesMax = Math.max(freeRatioBytes, recordingBytes * recordingLimits.compressionRatioMax);
  const sizes = items.flatMap((item) => (item.type === "exchange" ? sizesOf(item.exchange) : []));
  return sizes.some((size) => size > bytesMax) ? "a body exceeds the compression ratio" : undefined;
}

function sizeNear(random: Random, limit: number): number {
  return Math.max(0, nearLimit(random, limit));
}

function entry(content: object, headers: readonly object[] = []): string {
  return JSON.stringify({
    startedDateTime: "2026-01-01T00:00:00Z",
    request: { method: "GET", url: "http://n/v2/users" },
    response: { status: 200, headers, content },
  });
}

/** The problem of items that exceed the limits, or differ from those of the same recording in other chunks. */
export function limitsProblem(
  whole: readonly RecordingItem[],
  inChunks: readonly RecordingItem[],
  limits: RecordingLimits,
): string | undefined {
  const shown = (items: readonly RecordingItem[]) =>
    JSON.stringify(items.map(({ type, ...item }) => [type, "index" in item ? item.index : item.problem]));
  if (shown(whole) !== shown(inChunks)) return `limits depend on the chunks\n${shown(whole)}\n${shown(inChunks)}`;
  const isLong = (item: RecordingItem) =>
    item.type === "exchange" && item.exchange.request.target.length > limits.recordedUrlLengthMax;
  if (whole.some(isLong)) return "a URL exceeds its limit";
  if (whole.some((item) => item.type === "exchange" && item.place.length > limits.entryBytesMax))
    return "an entry exceeds its limit";
  const sizes = whole.flatMap((item) => (item.type === "exchange" ? sizesOf(item.exchange) : []));
  return sizes.some((size) => size > limits.recordedBodyBytesMax) ? "a body exceeds its limit" : undefined;
}

function sizesOf({ request, response }: Exchange): readonly number[] {
  const received = response.type === "response" ? response : response.partial;
  return [request.body.size, received?.body.size ?? 0];
}
