import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { codingsMax, decodedBody } from "./content-coding.ts";
import { BeyondLimit, recordingLimits } from "./recording-limits.ts";

const plain = Buffer.from('{"users":[]}');

/** The plain text, compressed several times. */
const encoded = (times: number): Buffer => (times === 0 ? plain : gzipSync(encoded(times - 1)));

test.each([
  ["gzip", gzipSync(plain)],
  ["GZIP", gzipSync(plain)],
  ["br", brotliCompressSync(plain)],
  ["zstd", zstdCompressSync(plain)],
  ["deflate", deflateSync(plain)],
  ["deflate", deflateRawSync(plain)],
  ["gzip, br", brotliCompressSync(gzipSync(plain))],
  ["identity", plain],
  [new Array(codingsMax).fill("gzip").join(","), encoded(codingsMax)],
])("decodes a body received as %s", (coding, body) => {
  expect(Buffer.from(decodedBody([["Content-Encoding", coding]], body) ?? []).toString()).toBe(plain.toString());
});

test("leaves a body alone that has no coding", () => {
  expect(decodedBody([], plain)).toBe(plain);
});

test.each([
  ["is not what its coding says", "gzip", plain],
  ["has a coding that is not known", "compress", plain],
  ["breaks off", "gzip", gzipSync(plain).subarray(0, 12)],
  ["has too many codings", new Array(codingsMax + 1).fill("gzip").join(","), encoded(codingsMax + 1)],
])("gives nothing for a body that %s", (_name, coding, body) => {
  expect(decodedBody([["Content-Encoding", coding]], body)).toBeUndefined();
});

const mebi = 1024 * 1024;
const repeated = Buffer.alloc(2 * mebi, "a");

test.each([
  ["gzip", gzipSync(repeated)],
  ["br", brotliCompressSync(repeated)],
  ["zstd", zstdCompressSync(repeated)],
  ["deflate", deflateSync(repeated)],
  ["deflate", deflateRawSync(repeated)],
  ["gzip, br", brotliCompressSync(gzipSync(repeated))],
])("stops the decompression of %s at the limits", (coding, body) => {
  const decode = (limits: object) =>
    decodedBody([["Content-Encoding", coding]], body, { ...recordingLimits, ...limits });
  expect(() => decode({})).toThrow(
    new BeyondLimit("a body exceeds the compression ratio of 250 to 1 (compressionRatioMax)"),
  );
  const limits = { compressionRatioMax: Number.POSITIVE_INFINITY };
  expect(decode(limits)).toHaveLength(repeated.length);
  expect(() => decode({ ...limits, recordedBodyBytesMax: repeated.length - 1 })).toThrow(
    new BeyondLimit("a decoded body exceeds the limit of 2097151 bytes (recordedBodyBytesMax)"),
  );
});

test("a small body may have any compression ratio", () => {
  const body = gzipSync(Buffer.alloc(mebi, "a"));
  expect(mebi / body.length).toBeGreaterThan(recordingLimits.compressionRatioMax);
  expect(decodedBody([["Content-Encoding", "gzip"]], body)).toHaveLength(mebi);
});
