import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { type HeaderList, headerValues } from "../../foundation/http/header.ts";
import { BeyondLimit, outputBytesMax, type RecordingLimits, recordingLimits } from "./recording-limits.ts";

type Decode = (bytes: Uint8Array, limits: { readonly maxOutputLength: number }) => Uint8Array;

const codings: Readonly<Record<string, Decode>> = {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  // RFC 9110 means zlib; some servers send the bare stream.
  deflate: (bytes, limits) => (isZlib(bytes) ? inflateSync : inflateRawSync)(bytes, limits),
};

/** More codings of one body are not decoded. Servers apply one. */
export const codingsMax = 10;

/**
 * The body without the codings that its Content-Encoding names; undefined for an unknown coding, too many codings, and bytes
 * that are not valid. Throws BeyondLimit as soon as the output exceeds the size or the compression ratio of the limits.
 */
export function decodedBody(
  headers: HeaderList,
  body: Uint8Array,
  limits: RecordingLimits = recordingLimits,
): Uint8Array | undefined {
  const applied = codingsOf(headers);
  if (applied.length > codingsMax) return undefined;
  let decoded = body;
  for (const coding of applied.toReversed()) {
    const decode = Object.hasOwn(codings, coding) ? codings[coding] : undefined;
    const bytes = decode === undefined ? undefined : attempt(decode, decoded, limits);
    if (bytes === undefined) return undefined;
    decoded = bytes;
  }
  return decoded;
}

/** The content codings (RFC 9110, 8.4.1) in the order in which they were applied; at most one more than `codingsMax`. */
export function codingsOf(headers: HeaderList): readonly string[] {
  return headerValues(headers, "content-encoding")
    .flatMap((value) => value.split(",", codingsMax + 1))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity")
    .slice(0, codingsMax + 1);
}

/** Whether deflated bytes have the header of zlib. */
export function isZlib(bytes: Uint8Array): boolean {
  return (bytes[0] ?? 0) % 16 === 8;
}

/** Whether zlib stopped because its output would exceed `maxOutputLength`. */
export function isOutputTooLarge(error: unknown): boolean {
  return error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}

/** The problem of a body whose decompression stopped at the limit. */
export function beyondOutput(compressedBytes: number, limits: RecordingLimits): BeyondLimit {
  const { recordedBodyBytesMax, compressionRatioMax } = limits;
  return new BeyondLimit(
    outputBytesMax(compressedBytes, limits) === recordedBodyBytesMax
      ? `a decoded body exceeds the limit of ${recordedBodyBytesMax} bytes (recordedBodyBytesMax)`
      : `a body exceeds the compression ratio of ${compressionRatioMax} to 1 (compressionRatioMax)`,
  );
}

/** Decodes bytes; undefined if they are not valid. zlib throws only for invalid bytes and for too much output. */
function attempt(decode: Decode, bytes: Uint8Array, limits: RecordingLimits): Uint8Array | undefined {
  try {
    return decode(bytes, { maxOutputLength: outputBytesMax(bytes.length, limits) });
  } catch (error) {
    if (isOutputTooLarge(error)) throw beyondOutput(bytes.length, limits);
    return undefined;
  }
}
