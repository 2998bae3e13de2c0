import { expect, test } from "vitest";
import { parseMegabytes, parseProcessors, parseStat } from "./process-files.ts";

const stat = "812 (node (a) b) S 7 812 812 0 -1 4194304 9 0 0 0 250 30 5 6 20 0 11 0 100 1 2 3";

test("reads parent and processor time of a process whose name has parentheses and spaces", () => {
  expect(parseStat(stat)).toEqual({ parent: 7, cpuMs: 2800 });
});

test("refuses what is no stat file", () => {
  expect(() => parseStat("nothing")).toThrow("not a stat file: nothing");
});

test("reads megabytes off a line that begins with the name", () => {
  const text = "Pss_Anon:      1 kB\nRss:           62500 kB\nPss:           31250 kB\n";
  expect([parseMegabytes(text, "Rss"), parseMegabytes(text, "Pss")]).toEqual([64, 32]);
  expect(() => parseMegabytes(text, "Swap")).toThrow("there is no Swap");
});

test("reads ranges and single processors", () => {
  expect(parseProcessors("0-2,5,7-8\n")).toEqual([0, 1, 2, 5, 7, 8]);
});
