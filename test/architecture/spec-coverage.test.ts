import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { probes } from "../../src/checker/probes/index.ts";
import { specSentences } from "../_spec-sentences.ts";
import { root } from "./_sources.ts";

/** The cells of the rows of docs/spec-coverage.md that name sentences. */
const rows = [
  ...readFileSync(join(root, "docs/spec-coverage.md"), "utf8").matchAll(
    /^\| §([\d.]+) \| ([\d–,]+) \| (.+?) \| (.+?) \| (.+) \| (.+) \|$/gm,
  ),
].map(([row, section = "", sentences = "", topic = "", probesCell = "", rulesCell = "", testCell = ""]) => {
  return { row, section, sentences: numbersIn(sentences), topic, probesCell, rulesCell, testCell };
});

/** `1–3,6` as 1, 2, 3, 6. */
function numbersIn(text: string): readonly number[] {
  return text.split(",").flatMap((part) => {
    const [first = "", last = first] = part.split("–");
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index);
  });
}

test("docs/spec-coverage.md has every sentence of the spec", () => {
  const covered = Map.groupBy(rows, ({ section }) => section);
  const numbers = [...covered].map(([section, own]) => {
    const found = new Set(own.flatMap(({ sentences }) => sentences));
    return [section, [...found].sort((left, right) => left - right)] as const;
  });
  const expected = Object.entries(specSentences).map(([section, texts]) => [section, Object.keys(texts).map(Number)]);
  expect(Object.fromEntries(numbers)).toEqual(Object.fromEntries(expected));
});

test("contracts/spec-sentences.yaml numbers the sentences of each section of the spec from 1", () => {
  const counts = { 0: 3, 1: 16, 2: 2, 2.1: 38, 2.2: 35, 3: 6, 4: 3, 4.1: 5, 4.2: 77, 5: 3, 6: 2, 7: 10, 8: 5, 9: 6 };
  const numbered = Object.entries(counts).map(([section, count]) => [section, numbersIn(`1–${count}`).map(String)]);
  const found = Object.entries(specSentences).map(([section, texts]) => [section, Object.keys(texts)]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(numbered));
});

test("every row of docs/spec-coverage.md has a rule or the reason why it has none, and a test or such a reason", () => {
  const reason = /\*\*(?:client|inside|not shown|free)\*\*|see section \d|the same rules/;
  const bare = rows.filter(({ rulesCell }) => !reason.test(rulesCell) && !/`[a-z0-9]+(?:-[a-z0-9]+)+`/.test(rulesCell));
  expect(bare.map(({ row }) => row)).toEqual([]);
  const untested = rows.filter(({ rulesCell, testCell }) => testCell === "–" && !reason.test(rulesCell));
  expect(untested.map(({ row }) => row)).toEqual([]);
});

test("docs/spec-coverage.md names every probe, and no other", () => {
  const cells = rows.map(({ probesCell }) => probesCell);
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([a-z-]+)`/g)].map(([, id = ""]) => id));
  const unknown = named.filter(
    (name) => !probes.some(({ id }) => (name.endsWith("-") ? id.startsWith(name) : id === name)),
  );
  expect(unknown).toEqual([]);
  const missing = probes.filter(
    ({ id }) => !named.some((name) => (name.endsWith("-") ? id.startsWith(name) : id === name)),
  );
  expect(missing.map(({ id }) => id)).toEqual([]);
});
