import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { type HeaderList, headerValues } from "../../foundation/http/header.ts";

/** Limit of a decoded body, in bytes; a larger one stays encoded. */
export const decodedBytesMax: number = 32 * 1024 * 1024;

type Decode = (bytes: Uint8Array, limits: { readonly maxOutputLength: number }) => Uint8Array;

const codings: Readonly<Record<string, Decode>> = {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  // RFC 9110 means zlib; some servers send the bare stream.
  deflate: (bytes, limits) => ((bytes[0] ?? 0) % 16 === 8 ? inflateSync : inflateRawSync)(bytes, limits),
};

/**
 * The body without the codings that its Content-Encoding names; undefined where one is unknown, the bytes are not what it
 * says, or the result would be larger than `decodedBytesMax`.
 */
export function decodedBody(headers: HeaderList, body: Uint8Array): Uint8Array | undefined {
  let decoded = body;
  for (const coding of codingsOf(headers).toReversed()) {
    const decode = Object.hasOwn(codings, coding) ? codings[coding] : undefined;
    const bytes = decode === undefined ? undefined : attempt(decode, decoded);
    if (bytes === undefined) return undefined;
    decoded = bytes;
  }
  return decoded;
}

/** The content codings (RFC 9110, 8.4.1) in the order in which they were applied. */
export function codingsOf(headers: HeaderList): readonly string[] {
  return headerValues(headers, "content-encoding")
    .flatMap((value) => value.split(","))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
}

/** Decodes bytes; undefined if they are not valid. zlib throws only for invalid bytes. */
function attempt(decode: Decode, bytes: Uint8Array): Uint8Array | undefined {
  try {
    return decode(bytes, { maxOutputLength: decodedBytesMax });
  } catch {
    return undefined;
  }
}
