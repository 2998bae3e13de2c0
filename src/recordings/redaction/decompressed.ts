import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { isUtf8 } from "../../foundation/text/utf8.ts";
import { recordingLimits } from "../har/recording-limits.ts";

/** Decompresses a body by its magic bytes; UTF-8 text is returned unchanged. Throws for truncated data. */
export function decompressed(bytes: Uint8Array): Uint8Array {
  const limit = { maxOutputLength: recordingLimits.recordedBodyBytesMax };
  const [first, second] = bytes;
  if (isGzip(bytes)) return gunzipSync(bytes, limit);
  if (isZstd(bytes)) return zstdDecompressSync(bytes, limit);
  if (first === 0x78 && (0x7800 + (second ?? 0)) % 31 === 0) return inflateSync(bytes, limit);
  // Recordings hold decoded bodies under the headers of compressed ones.
  if (isUtf8(bytes)) return bytes;
  return brotliDecompressSync(bytes, limit);
}

/** Whether bytes begin as compressed ones do, and as no text does. */
export function isCompressed(bytes: Uint8Array): boolean {
  const isZlib = bytes[0] === 0x78 && (0x7800 + (bytes[1] ?? 0)) % 31 === 0 && !isUtf8(bytes);
  return isGzip(bytes) || isZstd(bytes) || isZlib;
}

function isGzip([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}

function isZstd([first, second, third, fourth]: Uint8Array): boolean {
  return first === 0x28 && second === 0xb5 && third === 0x2f && fourth === 0xfd;
}
