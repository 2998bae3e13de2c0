import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { decodedBody, decodedBytesMax } from "./content-coding.ts";

const plain = Buffer.from('{"users":[]}');

test.each([
  ["gzip", gzipSync(plain)],
  ["GZIP", gzipSync(plain)],
  ["br", brotliCompressSync(plain)],
  ["zstd", zstdCompressSync(plain)],
  ["deflate", deflateSync(plain)],
  ["deflate", deflateRawSync(plain)],
  ["gzip, br", brotliCompressSync(gzipSync(plain))],
  ["identity", plain],
])("decodes a body that came as %s", (coding, body) => {
  expect(Buffer.from(decodedBody([["Content-Encoding", coding]], body) ?? []).toString()).toBe(plain.toString());
});

test("leaves a body alone that has no coding", () => {
  expect(decodedBody([], plain)).toBe(plain);
});

test.each([
  ["is not what its coding says", "gzip", plain],
  ["has a coding that is not known", "compress", plain],
  ["breaks off", "gzip", gzipSync(plain).subarray(0, 12)],
  ["would be larger than the limit", "gzip", gzipSync(new Uint8Array(decodedBytesMax + 1))],
])("gives nothing for a body that %s", (_name, coding, body) => {
  expect(decodedBody([["Content-Encoding", coding]], body)).toBeUndefined();
});
