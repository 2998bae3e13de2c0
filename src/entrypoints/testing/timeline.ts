import { maskOf } from "../../checker/engine/shown-violation.ts";
import { createMask } from "../../foundation/secrets/mask.ts";
import type { JournalEntry } from "../../stub/journal/journal-entry.ts";

/** Exchanges that a timeline shows; of more, the newest. */
const shownMax = 50;
const bodyLengthMax = 300;

/** What was asked and answered, a line each with its virtual time, and the bodies of what was refused. */
export function timeline(journal: readonly JournalEntry[]): string {
  if (journal.length === 0) return "Understudy was asked nothing.";
  const left = Math.max(0, journal.length - shownMax);
  const lines = journal.slice(left).flatMap((entry, index) => linesOf(entry, left + index + 1));
  const title = `Understudy was asked ${journal.length === 1 ? "once" : `${journal.length} times`}:`;
  return [title, ...(left === 0 ? [] : [`  … ${left} before`]), ...lines].join("\n");
}

/** An exchange in one line: number, virtual time, method, target, status; without secrets. */
export function timelineLine(entry: JournalEntry, number: number): string {
  const { virtualAt, request, response, unexpected } = entry;
  const status = response.type === "response" ? String(response.status) : `(${response.kind})`;
  const note = unexpected === undefined ? "" : `  ${unexpectedNotes[unexpected]}`;
  const target = maskOf(entry, createMask())(request.target);
  return `${String(number).padStart(4)}  ${virtualAt.slice(11, 23)}  ${request.method} ${target}  ${status}${note}`;
}

const unexpectedNotes = {
  "unknown-path": "unexpected: there is no such path",
  "wrong-method": "unexpected: the path has no such method",
  unplanned: "unexpected: the scenario does not plan it",
} as const;

function linesOf(entry: JournalEntry, number: number): readonly string[] {
  const { request, response } = entry;
  const isRefused = response.type === "response" && response.status >= 400;
  const details = isRefused ? [`sent  ${textOf(entry, request.body)}`, `came  ${textOf(entry, response.body)}`] : [];
  return [timelineLine(entry, number), ...details.filter((line) => line.length > 6).map((line) => `        ${line}`)];
}

function textOf(entry: JournalEntry, body: Uint8Array): string {
  const text = maskOf(entry, createMask())(new TextDecoder().decode(body)).replace(/\s+/g, " ");
  return text.length > bodyLengthMax ? `${text.slice(0, bodyLengthMax)}…` : text;
}
