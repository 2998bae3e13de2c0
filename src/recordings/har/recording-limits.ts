import { exceededBound } from "../../foundation/json/json-bounds.ts";

/** Limits for reading recordings. Commands use `recordingLimits`; no flag changes them (docs/limits.md). */
export interface RecordingLimits {
  /** Size of an entry in bytes. A larger entry ends the recording. */
  readonly entryBytesMax: number;
  /** Size of a decoded body in bytes. An entry with a larger one is skipped. */
  readonly recordedBodyBytesMax: number;
  /** Number of characters of a URL. An entry with a longer one is skipped. */
  readonly recordedUrlLengthMax: number;
  /** Number of JSON values in an entry, and in a body. An entry with more is skipped. */
  readonly recordedValuesMax: number;
  /** Decompressed bytes for each compressed byte, for large bodies and files. */
  readonly compressionRatioMax: number;
}

const mebi = 1024 * 1024;

export const recordingLimits: RecordingLimits = {
  entryBytesMax: 64 * mebi,
  recordedBodyBytesMax: 20 * mebi,
  recordedUrlLengthMax: 256 * 1024,
  recordedValuesMax: 1_000_000,
  compressionRatioMax: 250,
};

/** Decompressed bodies up to this size may have any compression ratio. */
export const freeRatioBytes: number = mebi;

/** The content of an entry exceeds a limit. The message says how, as part of a sentence. */
export class BeyondLimit extends Error {
  override readonly name = "BeyondLimit";
}

/** The largest allowed output of a decompression, in bytes. */
export function outputBytesMax(compressedBytes: number, limits: RecordingLimits): number {
  const { recordedBodyBytesMax, compressionRatioMax } = limits;
  return Math.min(recordedBodyBytesMax, Math.max(freeRatioBytes, compressedBytes * compressionRatioMax));
}

/** Whether a text of JSON has more values than the limit. Counts in one pass, before anything is parsed. */
export function hasTooManyValues(text: string, { recordedValuesMax }: RecordingLimits): boolean {
  const bounds = {
    nestingMax: Number.POSITIVE_INFINITY,
    jsonValuesMax: recordedValuesMax,
    numberLengthMax: Number.POSITIVE_INFINITY,
  };
  return exceededBound(text, bounds) !== undefined;
}
