import type { ShownViolation } from "../shown-violation.ts";
import type { VerdictSummary } from "../verdict.ts";

/** Marks what failed. */
export const red = (text: string): string => `\u001b[31m${text}\u001b[39m`;
const yellow = (text: string) => `\u001b[33m${text}\u001b[39m`;

/** The verdict for a person at a terminal. Text of the target is shown without control characters. */
export function renderTerminal(summary: VerdictSummary, isColoured: boolean): string {
  const { ledger, registry } = summary.profile;
  const lines = [
    `Judged against ${ledger} and ${registry}.`,
    ...summary.violations.flatMap((violation) => renderViolation(violation, isColoured)),
    ...(summary.violationsDropped > 0 ? [`… and ${summary.violationsDropped} further violations.`] : []),
    ...summary.knownDivergences.map(
      ({ id, title, count }) =>
        `${isColoured ? yellow("KNOWN") : "KNOWN"} ${id} ${title} (${count} ${count === 1 ? "time" : "times"})`,
    ),
    ...(summary.unusedDivergences.length > 0
      ? [`Known divergences that nothing met: ${summary.unusedDivergences.length} (--json lists them)`]
      : []),
    ...(summary.unseenOperations.length > 0 ? [`Operations never seen: ${summary.unseenOperations.join(", ")}`] : []),
    ...unseenStatusLines(summary),
    totals(summary),
  ];
  return lines.join("\n");
}

/** Statuses never seen, of the operations that were. */
function unseenStatusLines({ unseenStatuses, unseenOperations }: VerdictSummary): readonly string[] {
  const pairs = unseenStatuses
    .map((key) => key.split(" "))
    .filter(([operationId = ""]) => !unseenOperations.includes(operationId));
  const byOperation = Map.groupBy(pairs, ([operationId = ""]) => operationId);
  const parts = [...byOperation].map(
    ([operationId, rows]) => `${operationId} ${rows.map(([, status]) => status).join(", ")}`,
  );
  return parts.length === 0 ? [] : [`Statuses never seen: ${parts.join("; ")}`];
}

/** The lines of one violation: rule, what was expected and came, where, section and a curl line. */
export function renderViolation(violation: ShownViolation, isColoured: boolean): readonly string[] {
  const mark = isColoured ? (violation.outcome === "WARN" ? yellow : red)(violation.outcome) : violation.outcome;
  const known = violation.divergence === undefined ? "" : ` (known as ${violation.divergence})`;
  return [
    `${mark} ${violation.rule}${known}: ${violation.operationId} ${violation.status}`,
    `  expected  ${printable(violation.expected)}`,
    `  came      ${printable(violation.actual)}`,
    `  at        ${violation.pointer === "" ? "(the answer)" : printable(violation.pointer)}`,
    `  section   ${violation.section} of the document`,
    `  repeat    ${printable(violation.curl)}`,
  ];
}

function totals(summary: VerdictSummary): string {
  const parts = [
    `${summary.passed} passed`,
    `${summary.failed} failed`,
    `${summary.known} known`,
    `${summary.warned} warned`,
    `${summary.outside} outside the document`,
    `${summary.broken} broken`,
  ];
  return `${summary.exchanges} ${summary.exchanges === 1 ? "exchange" : "exchanges"}: ${parts.join(", ")}.`;
}

/** Without control and format characters: what a target sent must not drive the terminal or turn the text around. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, "�");
}
