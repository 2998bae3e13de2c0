import type { Report } from "../report.ts";
import { isAccepted, isFailed } from "../report.ts";
import type { CountedViolation, VerdictSummary } from "../verdict.ts";
import { violationsInOrder } from "./_matrix.ts";
import {
  counted,
  type Group,
  judgedAgainst,
  memoryLimits,
  notRunByReason,
  resultSentence,
  statusText,
  times,
  totals,
  unseenStatusesOf,
} from "./_phrases.ts";
import { printable } from "./printable.ts";

/** Kinds of violation that a terminal shows; a file shows all. */
const shownMax = 50;

/** Marks what failed. */
export const red = (text: string): string => `\u001b[31m${text}\u001b[39m`;
const yellow = (text: string) => `\u001b[33m${text}\u001b[39m`;
const green = (text: string) => `\u001b[32m${text}\u001b[39m`;

/** The report for a person at a terminal. Text of the target is shown without control characters. */
export function renderTerminal(report: Report, isColoured: boolean): string {
  const { summary } = report;
  const colour = isFailed(report) ? red : green;
  const result = printable(resultSentence(report));
  return [
    printable(judgedAgainst(report)),
    ...violationLines(report, isColoured),
    ...summary.knownDivergences.map(
      ({ id, title, count }) => `${isColoured ? yellow("KNOWN") : "KNOWN"} ${id} ${title} (${times(count)})`,
    ),
    ...baselineLines(report),
    ...probingLines(report),
    ...coverageLines(summary),
    isColoured ? colour(result) : result,
    totals(summary),
  ].join("\n");
}

function violationLines(report: Report, isColoured: boolean): readonly string[] {
  const { violationsDropped } = report.summary;
  const violations = violationsInOrder(report).filter((violation) => !isAccepted(report, violation));
  const hidden = violations.length - shownMax;
  return [
    ...violations.slice(0, shownMax).flatMap((violation) => renderViolation(violation, isColoured)),
    ...(hidden > 0 ? [`… and ${counted(hidden, "further kind")} of violation: --report FILE.html shows them.`] : []),
    ...(violationsDropped > 0 ? [`… and ${counted(violationsDropped, "further violation")}.`] : []),
  ];
}

/** The lines of one violation: rule, what was expected and came, where, section and a curl line. */
export function renderViolation(violation: CountedViolation, isColoured: boolean): readonly string[] {
  const mark = isColoured ? (violation.outcome === "WARN" ? yellow : red)(violation.outcome) : violation.outcome;
  const known = violation.divergence === undefined ? "" : ` (known as ${violation.divergence})`;
  const repeated = violation.count === 1 ? "" : ` (${times(violation.count)})`;
  return [
    `${mark} ${violation.rule}${known}: ${violation.operationId} ${statusText(violation.status)}${repeated}`,
    `  expected  ${printable(violation.expected)}`,
    `  came      ${printable(violation.actual)}`,
    `  at        ${violation.pointer === "" ? "(the answer)" : printable(violation.pointer)}`,
    `  section   ${violation.section} of the document`,
    ...(violation.probe === undefined ? [] : [`  probe     ${violation.probe}`]),
    `  repeat    ${printable(violation.curl)}`,
  ];
}

function baselineLines({ baseline }: Report): readonly string[] {
  if (baseline === undefined) return [];
  const { accepted, fixed, unchecked } = baseline;
  return [
    ...list("Accepted by the baseline", accepted),
    ...list("Fixed since the baseline", fixed),
    ...list("Accepted before, and nothing looked whether it is still so", unchecked),
  ].map(printable);
}

function probingLines({ probing }: Report): readonly string[] {
  if (probing === undefined) return [];
  const { probes, created, requests, found } = probing;
  const ran = probes.filter(({ outcome }) => outcome === "ran").length;
  return [
    `Probes: ${ran} ran with ${counted(requests, "request")}, ${probes.length - ran} not run.`,
    ...["discovered", "made up"].flatMap((origin) =>
      list(
        `  ${origin}`,
        found.filter((value) => value.origin === origin).map(({ name, value }) => `${name} ${value}`),
      ),
    ),
    ...probes.flatMap(({ id, outcome, why }) => (outcome === "ran" && why !== undefined ? [`  ${id} was ${why}`] : [])),
    ...notRunByReason(probes).map(({ name, members }) => `  not run, ${name}: ${members.join(", ")}`),
    ...list(
      "Created at the target and still there",
      created.map(({ kind, id }) => `${kind} ${id}`),
    ),
  ].map(printable);
}

function coverageLines(summary: VerdictSummary): readonly string[] {
  const { unusedDivergences, unseenOperations, coverage } = summary;
  return [
    ...(unusedDivergences.length > 0
      ? [`Known divergences that nothing met: ${unusedDivergences.length} (--json lists them)`]
      : []),
    ...list("Operations never seen", unseenOperations, ", "),
    ...list("Statuses never seen", unseenStatusesOf(summary).map(groupText), "; "),
    ...list("Rules that had nothing to look at", coverage.unusedRules, ", "),
    ...list("Rules that could not always tell (a report says why)", silenceCounts(summary), ", "),
    ...list("Beyond what is remembered", memoryLimits(summary), "; "),
  ].map(printable);
}

function silenceCounts({ coverage }: VerdictSummary): readonly string[] {
  const byRule = Map.groupBy(coverage.silences, ({ rule }) => rule);
  return [...byRule].map(([rule, silences]) => `${rule} ${times(silences.reduce((sum, { count }) => sum + count, 0))}`);
}

function groupText({ name, members }: Group): string {
  return `${name} ${members.join(", ")}`;
}

function list(title: string, members: readonly string[], separator = "; "): readonly string[] {
  return members.length === 0 ? [] : [`${title}: ${members.join(separator)}`];
}
