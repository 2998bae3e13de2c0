import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { probes } from "../../src/checker/probes/index.ts";
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

/** The number of sentences in each section of the spec; section 0 is the introduction. */
function sentencesOfSpec(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  let section = "0";
  const lines = readFileSync(join(root, "../shared/contract.md"), "utf8").split("\n");
  for (const [index, line] of lines.entries()) {
    section = /^#{2,3} ([\d.]*\d)/.exec(line)?.[1] ?? section;
    const isRule = /^\|[-| ]+\|$/.test(line);
    const isHeadOfTable = line.startsWith("|") && /^\|[-| ]+\|$/.test(lines[index + 1] ?? "");
    if (line.trim() === "" || line.startsWith("#") || isRule || isHeadOfTable) continue;
    const found = line.replace(/^\s*- /, "").split(/(?<=\.) (?=[A-Z`*])/).length;
    counts.set(section, (counts.get(section) ?? 0) + found);
  }
  return counts;
}

test("docs/spec-coverage.md has every sentence of the spec", () => {
  const covered = Map.groupBy(rows, ({ section }) => section);
  const numbers = [...covered].map(([section, own]) => {
    const found = new Set(own.flatMap(({ sentences }) => sentences));
    return [section, [...found].sort((left, right) => left - right)] as const;
  });
  const expected = [...sentencesOfSpec()].map(
    ([section, count]) => [section, Array.from({ length: count }, (_, index) => index + 1)] as const,
  );
  expect(Object.fromEntries(numbers)).toEqual(Object.fromEntries(expected));
  expect(expected.flatMap(([, sentences]) => sentences)).toHaveLength(211);
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
