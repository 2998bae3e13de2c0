import { expect, test } from "vitest";
import { bytesBefore, partOfFile } from "./shard.ts";

const sizes = [0, 1, bytesBefore, bytesBefore + 1, bytesBefore * 3 - 1, bytesBefore * 100, undefined];

test.each(sizes)("each byte of a file of %s bytes belongs to one of three shards, which reads it", (size) => {
  for (const file of [0, 1, 5]) {
    const parts = [0, 1, 2].map((part) => partOfFile({ part, parts: 3 }, file, size));
    for (let byte = 0; byte < (size ?? bytesBefore * 200); byte += bytesBefore / 8) {
      const owners = parts.filter((part) => part?.isOwn(byte));
      expect(owners).toHaveLength(1);
      expect(owners[0]?.isRead(byte)).toBe(true);
      if (size !== undefined)
        expect([owners[0]?.begin, owners[0]?.end].map((edge) => Math.sign((edge ?? 0) - byte - 0.5))).toEqual([-1, 1]);
    }
  }
});

test("a shard reads the bytes before its part, and small files are not split", () => {
  const large = partOfFile({ part: 1, parts: 2 }, 0, bytesBefore * 10);
  expect(large).toMatchObject({ from: bytesBefore * 4, begin: bytesBefore * 5 });
  expect([bytesBefore * 4 - 1, bytesBefore * 4].map((byte) => large?.isRead(byte))).toEqual([false, true]);
  const owners = [0, 1, 2].map((file) => partOfFile({ part: 1, parts: 2 }, file, bytesBefore) !== undefined);
  expect(owners).toEqual([false, true, false]);
});
