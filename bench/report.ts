import { spawnSync } from "node:child_process";
import { cpus, release, totalmem } from "node:os";
import type { Effort } from "./plan.ts";
import { median, type Row, type Subject, subjects } from "./rows.ts";
import { boundText, isMet, verdictsOn } from "./targets.ts";

type Table = readonly (readonly string[])[];

const columns: readonly (readonly [string, string])[] = Object.entries(subjects);

/** The results as Markdown: the medians, the targets, and the remarks. */
export function report(rows: readonly Row[], notes: readonly string[], { rounds, seconds }: Effort): string {
  const commit = spawnSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).stdout.trim();
  const machine = `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 1e9)} GB, Linux ${release()}, Node ${process.version}`;
  const verdicts = verdictsOn(rows);
  const met = verdicts.filter((verdict) => isMet(verdict) === true);
  return [
    `Measured with \`npm run bench\` on ${new Date().toISOString().slice(0, 10)} at ${commit}: ${machine}. Medians; ${rounds} rounds of ${seconds} s of load. ${met.length} of ${verdicts.length} targets are met.`,
    asMarkdown(figureTable(rows)),
    ...(verdicts.length === 0 ? [] : [asMarkdown(targetTable(rows))]),
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${note}`).join("\n")]),
  ].join("\n\n");
}

/** A row for each figure, a column for each subject that was measured. */
export function figureTable(rows: readonly Row[]): Table {
  const measured = columns.filter(([name]) => rows.some(({ values }) => numbersOf(values, name).length > 0));
  const head = ["", ...measured.map(([, title]) => title)];
  return [
    head,
    ...rows.map(({ title, unit, values }) => [
      `${title}, ${unit}`,
      ...measured.map(([name]) => shown(median(numbersOf(values, name)))),
    ]),
  ];
}

function numbersOf(values: Row["values"], name: string): readonly number[] {
  return [...values].find(([subject]) => subject === name)?.[1] ?? [];
}

/** The targets of the measured figures; with the other checkout, if it was measured. */
export function targetTable(rows: readonly Row[]): Table {
  const hasBefore = rows.some(({ values }) => values.has("before" satisfies Subject));
  const verdicts = verdictsOn(rows).map((verdict) => [
    `${verdict.row.title}${verdict.target.against?.startsWith("any") === true ? ", rate" : ""}`,
    boundText(verdict),
    ...(hasBefore ? [shown(verdict.before)] : []),
    shown(verdict.found),
    { true: "met", false: "not met", undefined: "not measured" }[String(isMet(verdict))] ?? "",
  ]);
  return [["", "Target", ...(hasBefore ? ["before"] : []), "Found", ""], ...verdicts];
}

/** A number with three significant digits, or all digits before the point, in groups of three. */
export function shown(value: number): string {
  if (Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}

function asMarkdown(table: Table): string {
  const [head = [], ...rows] = table;
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `| --- |${" ---: |".repeat(head.length - 1)}`, ...rows.map(line)].join("\n");
}

const [begin, end] = ["<!-- bench:begin -->", "<!-- bench:end -->"];

/** The page with other text between the markers. Throws if the page lacks a marker. */
export function pageWith(page: string, text: string): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`the page has no ${begin} before a ${end}`);
  return `${page.slice(0, from + begin.length)}\n${text}\n${page.slice(to)}`;
}
