import { printable } from "../../../foundation/text/printable.ts";
import type { VerdictSummary } from "../../engine/verdict.ts";
import type { Report } from "../report.ts";
import { isAccepted } from "../report.ts";
import { type Alike, alikeIn, countOf, violationsInOrder } from "./_matrix.ts";
import {
  checkedAgainst,
  counted,
  memoryLimits,
  operationText,
  placeText,
  resultOf,
  resultSentence,
  skippedByReason,
  times,
  totals,
  unseenStatusesOf,
} from "./_phrases.ts";

/** Kinds of violation that a terminal shows; a file shows all. */
const shownMax = 50;
/** Members of any other list. */
const listedMax = 5;

/** Marks what failed. */
export const red = (text: string): string => `\u001b[31m${text}\u001b[39m`;
/** Marks what is to be known. */
export const yellow: (text: string) => string = (text: string) => `\u001b[33m${text}\u001b[39m`;
const green = (text: string) => `\u001b[32m${text}\u001b[39m`;

/** The report for a person at a terminal. Text of the target is shown without control characters. */
export function renderTerminal(report: Report, isColoured: boolean): string {
  const { summary } = report;
  const colour = { fails: red, incomplete: yellow, passes: green }[resultOf(report)];
  const result = printable(resultSentence(report));
  return [
    printable(checkedAgainst(report)),
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
  const groups = alikeIn(report, violations);
  const hidden = groups.slice(shownMax).flat().length;
  return [
    ...groups.slice(0, shownMax).flatMap((alike) => renderViolation(report.summary, alike, isColoured)),
    ...(hidden > 0 ? [`… and ${counted(hidden, "further kind")} of violation: --report FILE.html shows them.`] : []),
    ...(violationsDropped > 0 ? [`… and ${counted(violationsDropped, "further violation")}.`] : []),
  ];
}

/** The lines of one violation: rule, what was expected and came, where, section and a curl line. */
export function renderViolation(summary: VerdictSummary, alike: Alike, isColoured: boolean): readonly string[] {
  const [violation, ...others] = alike;
  const mark = isColoured ? (violation.outcome === "WARN" ? yellow : red)(violation.outcome) : violation.outcome;
  const known = violation.divergence === undefined ? "" : ` (known as ${violation.divergence})`;
  const count = countOf(alike);
  const repeated = count === 1 ? "" : ` (${times(count)})`;
  const places = alike.map((single) => placeText(summary, single));
  const operations = new Set(alike.map(({ operationId }) => operationId)).size;
  const [place] = others.length === 0 ? places : [`alike at ${counted(operations, "operation")}`];
  return [
    `${mark} ${violation.rule}${known}: ${place}${repeated}`,
    ...(others.length === 0 ? [] : places.map((text) => `  of        ${text}`)),
    `  expected  ${printable(violation.expected)}`,
    `  came      ${printable(violation.actual)}`,
    `  at        ${violation.pointer === "" ? "(the response)" : printable(violation.pointer)}`,
    `  section   ${violation.section} of the spec`,
    ...(violation.probe === undefined ? [] : [`  probe     ${violation.probe}`]),
    `  repeat    ${printable(violation.curl)}`,
  ];
}

function baselineLines({ baseline }: Report): readonly string[] {
  if (baseline === undefined) return [];
  const { accepted, fixed, unchecked } = baseline;
  return [
    ...shortList("Accepted by the baseline", accepted),
    ...shortList("Fixed since the baseline", fixed),
    ...shortList("Accepted before, and nothing looked whether it is still so", unchecked),
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
    ...skippedByReason(probes).map(({ name, members }) => `  not run, ${name}: ${members.join(", ")}`),
    ...list(
      "Created at the target and still there",
      created.map(({ kind, id }) => `${kind} ${id}`),
    ),
  ].map(printable);
}

function coverageLines(summary: VerdictSummary): readonly string[] {
  const { unusedDivergences, unseenOperations, coverage } = summary;
  const unseen = unseenOperations.map((operationId) => operationText(summary, operationId));
  const statuses = unseenStatusesOf(summary).map(
    ({ name, members }) => `${operationText(summary, name)} ${members.join(", ")}`,
  );
  return [
    ...numberOf("Known divergences that nothing met", unusedDivergences),
    ...shortList("Operations never seen", unseen),
    ...shortList("Statuses never seen", statuses),
    ...numberOf("Rules that had nothing to look at", coverage.unusedRules),
    ...shortList("Rules that could not always tell (a report says why)", silenceCounts(summary), ", "),
    ...shortList("Beyond what is remembered", memoryLimits(summary)),
  ].map(printable);
}

function silenceCounts({ coverage }: VerdictSummary): readonly string[] {
  const byRule = Map.groupBy(coverage.silences, ({ rule }) => rule);
  return [...byRule].map(([rule, silences]) => `${rule} ${times(silences.reduce((sum, { count }) => sum + count, 0))}`);
}

/** The beginning of a list, and how many more there are. */
function shortList(title: string, members: readonly string[], separator = "; "): readonly string[] {
  const hidden = members.length - listedMax;
  if (hidden <= 0) return list(title, members, separator);
  const shown = list(title, members.slice(0, listedMax), separator);
  return shown.map((line) => `${line}${separator}and ${hidden} more (--report FILE.html lists all)`);
}

function numberOf(title: string, members: readonly string[]): readonly string[] {
  return members.length === 0 ? [] : [`${title}: ${members.length} (--report FILE.html lists them)`];
}

function list(title: string, members: readonly string[], separator = "; "): readonly string[] {
  return members.length === 0 ? [] : [`${title}: ${members.join(separator)}`];
}
