import { maskOf } from "../../checker/engine/shown-violation.ts";
import type { Body } from "../../foundation/http/body.ts";
import { readableText } from "../../foundation/http/readable-text.ts";
import { createMask } from "../../foundation/secrets/mask.ts";
import { shortened } from "../../foundation/text/shortened.ts";
import { type JournalEntry, reasonOf } from "./journal-entry.ts";

/** Number of exchanges in a timeline; of more, the newest are shown. */
const shownMax = 50;
const bodyLengthMax = 300;

/** The exchanges of a journal, one line each with its virtual time. Refused requests are shown with both bodies. */
export function timeline(journal: readonly JournalEntry[]): string {
  const left = Math.max(0, journal.length - shownMax);
  const lines = journal.slice(left).flatMap((entry, index) => linesOf(entry, left + index + 1));
  const title = `Understudy received ${journal.length} ${journal.length === 1 ? "request" : "requests"}:`;
  return [title, ...(left === 0 ? [] : [`  … ${left} earlier`]), ...lines].join("\n");
}

/** An exchange in one line: number, virtual time, method, target, status; without secrets. */
export function timelineLine(entry: JournalEntry, number: number): string {
  const { virtualAt, request, response, unexpected } = entry;
  const status = response.type === "response" ? String(response.status) : `(${response.kind})`;
  const mask = maskOf(entry, createMask());
  const note = unexpected === undefined ? "" : `  unexpected: ${mask(reasonOf(entry) ?? unexpected)}`;
  const target = mask(request.target);
  return `${String(number).padStart(4)}  ${virtualAt.slice(11, 23)}  ${request.method} ${target}  ${status}${note}`;
}

function linesOf(entry: JournalEntry, number: number): readonly string[] {
  const { request, response } = entry;
  const isRefused = response.type === "response" && response.status >= 400;
  const bodies = isRefused
    ? ([
        ["request", request.body],
        ["response", response.body],
      ] as const)
    : [];
  const details = bodies
    .filter(([, body]) => body.storedLength > 0)
    .map(([side, body]) => `        ${side.padEnd(8)}  ${textOf(entry, body)}`);
  return [timelineLine(entry, number), ...details];
}

function textOf(entry: JournalEntry, body: Body): string {
  return shortened(maskOf(entry, createMask())(readableText(body)).replace(/\s+/g, " "), bodyLengthMax);
}
