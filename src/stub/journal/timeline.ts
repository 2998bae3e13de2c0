import { maskOf } from "../../checker/engine/shown-violation.ts";
import type { Body } from "../../foundation/http/body.ts";
import { readableText } from "../../foundation/http/readable-text.ts";
import { createMask } from "../../foundation/secrets/mask.ts";
import { withoutMiddle } from "../../foundation/text/shortened.ts";
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

/**
 * An exchange in one line: number, virtual time, method, target, status; without secrets. Why an expected request was refused is
 * in a second line.
 */
export function timelineLine(entry: JournalEntry, number: number): string {
  const { virtualAt, request, response, unexpected } = entry;
  const status = response.type === "response" ? String(response.status) : `(${response.kind})`;
  const mask = maskOf(entry, createMask());
  const reason = reasonOf(entry) ?? unexpected;
  const note = reason === undefined ? "" : noteOf(mask(reason), unexpected !== undefined);
  const at = virtualAt.slice(0, 23).replace("T", " ");
  return `${String(number).padStart(4)}  ${at}  ${request.method} ${mask(request.target)}  ${status}${note}`;
}

function noteOf(reason: string, isUnexpected: boolean): string {
  return isUnexpected ? `  unexpected: ${reason}` : `\n        reason    ${reason}`;
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
    .filter(([, body]) => body.storedLength > 0 && reasonOf(entry)?.startsWith(body.text()) !== true)
    .map(([side, body]) => `        ${side.padEnd(8)}  ${textOf(entry, body)}`);
  return [timelineLine(entry, number), ...details];
}

function textOf(entry: JournalEntry, body: Body): string {
  return withoutMiddle(maskOf(entry, createMask())(readableText(body)).replace(/\s+/g, " "), bodyLengthMax);
}
