import type { CaseResult, Measurement, Results } from "../results.ts";
import type { ServerKind } from "../servers/_server.ts";
import { serverKinds } from "../servers/servers.ts";
import { type Verdict, verdictsOn } from "../targets.ts";
import { shown, shownRatio } from "./numbers.ts";

/** Rows of cells; the first is the head. */
export type Table = readonly (readonly string[])[];

/** Footnotes for reasons and remarks of cells, without repetition. */
export class Footnotes {
  readonly #texts: string[] = [];

  /** The number of the footnote for a reason or remark; its text becomes a sentence. */
  mark(words: string): string {
    const text = `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
    const known = this.#texts.indexOf(text);
    return String(known === -1 ? this.#texts.push(text) : known + 1);
  }

  get texts(): readonly string[] {
    return this.#texts;
  }
}

/** Whether the case measures servers. */
export function isOfServers({ measurements, absences }: CaseResult): boolean {
  return [...measurements, ...absences].every(({ subject }) => serverKinds.some(({ name }) => name === subject));
}

/** A row for each case, a column for each server; other servers also show the ratio to Understudy's value. */
export function serverTable(cases: readonly CaseResult[], footnotes: Footnotes): Table {
  const columns = serverKinds.filter(({ name }) =>
    cases.some((each) => [...each.measurements, ...each.absences].some(({ subject }) => subject === name)),
  );
  const head = ["", ...columns.map(({ title }) => title)];
  const rows = cases.map((each) => [
    `${each.title}, ${each.unit}`,
    ...columns.map((kind) => serverCell(each, kind, footnotes)),
  ]);
  return [head, ...rows];
}

function serverCell(each: CaseResult, { name }: ServerKind, footnotes: Footnotes): string {
  const found = each.measurements.find(({ subject }) => subject === name);
  if (found !== undefined) return shown(found.value) + noteOf(found, footnotes);
  const reason = each.absences.find(({ subject }) => subject === name)?.reason;
  return reason === undefined ? "" : `– [${footnotes.mark(reason)}]`;
}

function noteOf({ note }: Measurement, footnotes: Footnotes): string {
  return note === undefined ? "" : ` [${footnotes.mark(note)}]`;
}

/** Processor time of the server per request, if the system reports it. */
export function processorTable(cases: readonly CaseResult[]): Table {
  const measured = cases.filter(({ measurements }) => measurements.some(({ cpuMicros }) => cpuMicros !== undefined));
  if (measured.length === 0) return [];
  const columns = serverKinds.filter(({ name }) =>
    measured.some(({ measurements }) => measurements.some(({ subject }) => subject === name)),
  );
  const rows = measured.map(({ title, measurements }) => [
    title,
    ...columns.map(({ name }) => {
      const cpuMicros = measurements.find(({ subject }) => subject === name)?.cpuMicros;
      return cpuMicros === undefined ? "" : shown(cpuMicros);
    }),
  ]);
  return [["µs of the processor for each request", ...columns.map(({ title }) => title)], ...rows];
}

/** Results that are not of servers: a row for each value. */
export function otherTable(cases: readonly CaseResult[], footnotes: Footnotes): Table {
  const rows = cases.flatMap((each) => [
    ...each.measurements.map(({ subject, value }) => [each.title, titleOf(subject), `${shown(value)} ${each.unit}`]),
    ...each.absences.map(({ subject, reason }) => [each.title, titleOf(subject), `– [${footnotes.mark(reason)}]`]),
  ]);
  return rows.length === 0 ? [] : [["", "", ""], ...rows];
}

/** Every target of the cases that were run, with the measured value. */
export function targetTable({ cases }: Pick<Results, "cases">): Table {
  const verdicts = verdictsOn(cases);
  if (verdicts.length === 0) return [];
  const rows = verdicts.map((verdict) => [...targetCells(verdict, cases), metText(verdict)]);
  return [["Case", "Target", "Found", "By processor time", ""], ...rows];
}

function targetCells({ target, found, byProcessor }: Verdict, cases: readonly CaseResult[]): readonly string[] {
  const each = cases.find(({ name }) => name === target.case);
  const { subject, against, relation, limit } = target;
  const unit = against === undefined ? ` ${each?.unit ?? ""}` : "";
  const title = subject === "understudy" || subject === "fork" ? "" : `, ${titleOf(subject)}`;
  const bound = against === undefined ? `${relation} ${limit}${unit}` : `${relation} ${limit} × ${titleOf(against)}`;
  const number = found === undefined ? "–" : against === undefined ? shown(found) + unit : shownRatio(found);
  const processor = byProcessor === undefined ? "" : shownRatio(byProcessor);
  return [`${each?.title ?? target.case}${title}`, bound, number, processor];
}

function metText({ isMet }: Verdict): string {
  return isMet === undefined ? "not measured" : isMet ? "met" : "not met";
}

export function titleOf(subject: string): string {
  return serverKinds.find(({ name }) => name === subject)?.title ?? subject;
}

export function asMarkdown(table: Table): string {
  const [head = [], ...rows] = table;
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const rule = `| ${head.map((_, index) => (index === 0 ? "---" : "---:")).join(" | ")} |`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}

/** Formats a table in columns for a terminal. */
export function asText(table: Table): string {
  const plain = table.map((row) => row.map((cell) => cell.replaceAll("`", "")));
  const widths = (plain[0] ?? []).map((_, column) => Math.max(...plain.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  return plain.map((row) => row.map(pad).join("  ").trimEnd()).join("\n");
}
