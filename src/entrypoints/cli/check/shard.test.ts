import { expect, test } from "vitest";
import { bytesBefore, partOfFile, shardOf } from "./shard.ts";

const shardFrom = (text: string, variables: Readonly<Record<string, string>> = {}) =>
  shardOf({ text: () => text }, { variables });

test("the environment of an Indexed Job names the part, from 0", () => {
  expect(shardFrom("auto/4", { JOB_COMPLETION_INDEX: "0" })).toEqual(shardFrom("1/4"));
  expect(shardFrom("auto/4", { JOB_COMPLETION_INDEX: "3" })).toEqual(shardFrom("4/4"));
});

test.each([
  ["auto/4", {}, "--shard auto/4: JOB_COMPLETION_INDEX is not set."],
  ["auto/4", { JOB_COMPLETION_INDEX: "x" }, "--shard auto/4: JOB_COMPLETION_INDEX is x, not a number."],
  ["auto/4", { JOB_COMPLETION_INDEX: "4" }, "--shard auto/4: JOB_COMPLETION_INDEX is 4, and 3 is the last of 4 parts."],
  ["auto", { JOB_COMPLETION_INDEX: "0" }, "--shard auto: not a valid shard."],
  ["0/4", {}, "--shard 0/4: not a valid shard."],
])("refuses %s with the variables %j", (text, variables, message) => {
  expect(() => shardFrom(text, variables)).toThrow(message);
});

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
