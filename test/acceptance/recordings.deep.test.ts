import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { harEntry, harText } from "../_har.ts";
import { temporaryFolder, understudy } from "./_command-line.ts";

test("decompresses a recording of many chunks, and checks the entries before a truncation", async () => {
  const folder = temporaryFolder();
  // Random ids do not compress, so the compressed file has several chunks too.
  const entries = Array.from({ length: 40_000 }, (_, index) => {
    const pageToken = createHash("sha512").update(String(index)).digest("base64url");
    const startedAt = new Date(Date.parse("2026-01-01T00:00:00Z") + index * 5).toISOString();
    return harEntry(`http://node/v2/users?pageToken=${pageToken}`, {
      startedAt,
      text: '{"users":[],"nextPageToken":""}',
    });
  });
  const packed = gzipSync(harText(entries));
  expect(packed.length).toBeGreaterThan(2 * 1024 * 1024);
  writeFileSync(join(folder, "whole.har.gz"), packed);
  writeFileSync(join(folder, "cut.har.gz"), packed.subarray(0, packed.length / 2));
  const whole = await understudy(["check", "whole.har.gz", "--json"], { folder });
  expect(JSON.parse(whole.out)).toMatchObject({ exchanges: 40_000, unsupported: 0 });
  const cut = await understudy(["check", "cut.har.gz", "--json"], { folder });
  expect(cut.exitCode).toBe(2);
  expect(cut.error).toMatch(/^cut\.har\.gz cannot be decompressed as gzip: unexpected end of file\. Compress it again/);
  const { exchanges, incomplete } = JSON.parse(cut.out);
  expect([exchanges > 10_000 && exchanges < 30_000, incomplete.length]).toEqual([true, 1]);
});

test("a compressed recording that decompresses without end is refused", async () => {
  const folder = temporaryFolder();
  const begin = gzipSync('{"log":{"entries":[{"x":"');
  const megabyte = gzipSync(Buffer.alloc(1024 * 1024, "a"));
  writeFileSync(join(folder, "in.har.gz"), Buffer.concat([begin, ...new Array<Buffer>(70).fill(megabyte)]));
  const { exitCode, error } = await understudy(["check", "in.har.gz"], { folder });
  expect(exitCode).toBe(2);
  expect(error).toContain("its content exceeds the compression ratio of 250 to 1 (compressionRatioMax).");
});
