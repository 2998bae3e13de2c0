import { printable } from "../../../foundation/text/printable.ts";
import type { VerdictSummary } from "../../engine/verdict.ts";
import { explainCommand } from "../docs-links.ts";
import type { Report } from "../report.ts";
import { isAccepted } from "../report.ts";
import { countOf, groupViolations, type ViolationGroup, violationsInOrder } from "./_matrix.ts";
import {
  checkedAgainst,
  counted,
  driftByOperation,
  driftSentence,
  incompleteSentences,
  operationText,
  placeText,
  probesText,
  resultOf,
  resultSentence,
  skippedByReason,
  statusesNotObservedOf,
  times,
  totals,
  traceLimits,
} from "./_phrases.ts";

/** Kinds of violation in terminal output; report files list all. */
const shownMax = 50;
/** Members of any other list in terminal output. */
const listedMax = 5;
/** Operations with drift in terminal output. */
const operationsOfDriftMax = 20;

/** The colour of failures. */
export const red = (text: string): string => `\u001b[31m${text}\u001b[39m`;
/** The colour of warnings. */
export const yellow: (text: string) => string = (text: string) => `\u001b[33m${text}\u001b[39m`;
const green = (text: string) => `\u001b[32m${text}\u001b[39m`;

/**
 * Renders the report for a terminal. Control characters in texts of the target are escaped. `whole` names the file that has what
 * the terminal omits, or the flag that writes it.
 */
export function renderTerminal(report: Report, isColoured: boolean, whole = "--report FILE.html"): string {
  const { summary } = report;
  const colour = { fails: red, incomplete: yellow, passes: green }[resultOf(report)];
  const result = resultText(report);
  return [
    printable(checkedAgainst(report)),
    ...violationLines(report, isColoured, whole),
    ...summary.knownDivergences.map(
      ({ id, title, count }) => `${isColoured ? yellow("KNOWN") : "KNOWN"} ${id} ${title} (${times(count)})`,
    ),
    ...baselineLines(report, whole),
    ...probingLines(report),
    ...driftLines(report, whole),
    ...coverageLines(summary, whole),
    isColoured ? colour(result) : result,
    totals(report),
  ].join("\n");
}

/** The result; of several reasons why the check is incomplete, each has a line of its own. */
function resultText(report: Report): string {
  const [sentence, reasons] = [resultSentence(report), incompleteSentences(report)];
  if (reasons.length < 2) return printable(sentence);
  const beginning = sentence.slice(0, -reasons.join(" ").length).trimEnd();
  return [beginning, ...reasons.map((reason) => `  ${reason}`)].map(printable).join("\n");
}

function violationLines(report: Report, isColoured: boolean, whole: string): readonly string[] {
  const { violationsDropped } = report.summary;
  const violations = violationsInOrder(report).filter((violation) => !isAccepted(report, violation));
  const groups = groupViolations(report, violations);
  const hidden = groups.slice(shownMax).flat().length;
  return [
    ...groups.slice(0, shownMax).flatMap((group) => renderViolation(report.summary, group, isColoured)),
    ...(hidden > 0 ? [`… and ${counted(hidden, "further kind")} of violation: ${whole} shows them.`] : []),
    ...(violationsDropped > 0 ? [`… and ${counted(violationsDropped, "further violation")}.`] : []),
  ];
}

/** The lines of one violation: rule, expected, actual, pointer, section and a curl line. */
export function renderViolation(
  summary: VerdictSummary,
  group: ViolationGroup,
  isColoured: boolean,
): readonly string[] {
  const [violation, ...others] = group;
  const mark = isColoured ? (violation.outcome === "WARN" ? yellow : red)(violation.outcome) : violation.outcome;
  const known = violation.divergence === undefined ? "" : ` (known divergence ${violation.divergence})`;
  const count = countOf(group);
  const repeated = count === 1 ? "" : ` (${times(count)})`;
  const places = group.map((single) => placeText(summary, single));
  const operations = new Set(group.map(({ operationId }) => operationId)).size;
  const sum = operations > 1 ? counted(operations, "operation") : counted(group.length, "place");
  const [place] = others.length === 0 ? places : [`same finding in ${sum}`];
  return [
    `${mark} ${violation.rule}${known}: ${place}${repeated}`,
    ...(others.length === 0 ? [] : [...new Set(places)].map((text) => `  in        ${text}`)),
    `  expected  ${printable(violation.expected)}`,
    `  actual    ${printable(violation.actual)}`,
    `  at        ${violation.pointer === "" ? "(the response)" : printable(violation.pointer)}`,
    `  spec      §${violation.section}`,
    ...(violation.probe === undefined ? [] : [`  probe     ${violation.probe}`]),
    `  explain   ${explainCommand(violation.rule)}`,
    `  repeat    ${printable(violation.curl)}`,
  ];
}

function baselineLines({ baseline }: Report, whole: string): readonly string[] {
  if (baseline === undefined) return [];
  const { accepted, fixed, unchecked } = baseline;
  return [
    ...shortList("Accepted by the baseline", accepted, whole),
    ...shortList("Fixed since the baseline", fixed, whole),
    ...shortList("In the baseline, but not checked", unchecked, whole),
  ].map(printable);
}

function probingLines({ probing, command }: Report): readonly string[] {
  if (probing === undefined) return [];
  const { probes, created, requests, values } = probing;
  return [
    `Probes: ${probesText(probing)}.`,
    `Requests of the probes: ${requests}.`,
    ...["discovered", "generated"].flatMap((origin) =>
      list(
        `  ${origin}`,
        values.filter((value) => value.origin === origin).map(({ name, value }) => `${name} ${value}`),
      ),
    ),
    ...probes.flatMap(({ id, outcome, reason }) =>
      outcome === "run" && reason !== undefined ? [`  ${id} ${reason}`] : [],
    ),
    ...skippedByReason(probes).map(({ name, members }) => `  skipped, ${name}: ${members.join(", ")}`),
    ...list(
      "Created at the target and not removed",
      created.map(({ kind, id }) => `${kind} ${id}`),
    ),
    ...list("Repeat", command === undefined ? [] : [command]),
  ].map(printable);
}

function driftLines(report: Report, whole: string): readonly string[] {
  const sentence = driftSentence(report);
  if (sentence === undefined || report.drift === undefined) return [];
  const groups = driftByOperation(report.drift);
  const hidden = groups.length - operationsOfDriftMax;
  return [
    sentence,
    ...groups.slice(0, operationsOfDriftMax).map(({ name, members }) => `  ${name}: ${members.join("; ")}`),
    ...(hidden > 0 ? [`  … and ${counted(hidden, "more operation")} (${whole} lists all)`] : []),
  ].map(printable);
}

function coverageLines(summary: VerdictSummary, whole: string): readonly string[] {
  const { divergencesNotObserved, operationsNotObserved, coverage } = summary;
  const unseen = operationsNotObserved.map((operationId) => operationText(summary, operationId));
  const statuses = statusesNotObservedOf(summary).map(
    ({ name, members }) => `${operationText(summary, name)} ${members.join(", ")}`,
  );
  return [
    ...numberOf("Known divergences not observed", divergencesNotObserved, whole),
    ...shortList("Operations not observed", unseen, whole),
    ...shortList("Statuses not observed", statuses, whole),
    ...numberOf("Rules not exercised", coverage.rulesNotExercised, whole),
    ...shortList("Not checked", notCheckedTexts(summary), whole),
    ...shortList("Inconclusive rules", inconclusiveCounts(summary), whole, ", "),
    ...shortList("Limits of the trace rules", traceLimits(summary), whole),
  ].map(printable);
}

function notCheckedTexts({ notChecked = [] }: VerdictSummary): readonly string[] {
  return notChecked.map(({ operationId, reason, count }) => `${operationId} ${times(count)}: ${reason}`);
}

function inconclusiveCounts({ coverage }: VerdictSummary): readonly string[] {
  const byRule = Map.groupBy(coverage.inconclusive, ({ rule }) => rule);
  return [...byRule].map(([rule, entries]) => `${rule} ${times(entries.reduce((sum, { count }) => sum + count, 0))}`);
}

/** The first members of a list, and the number of the others. */
function shortList(title: string, members: readonly string[], whole: string, separator = "; "): readonly string[] {
  const hidden = members.length - listedMax;
  if (hidden <= 0) return list(title, members, separator);
  const shown = list(title, members.slice(0, listedMax), separator);
  return shown.map((line) => `${line}${separator}and ${hidden} more (${whole} lists all)`);
}

function numberOf(title: string, members: readonly string[], whole: string): readonly string[] {
  return members.length === 0 ? [] : [`${title}: ${members.length} (${whole} lists them)`];
}

function list(title: string, members: readonly string[], separator = "; "): readonly string[] {
  return members.length === 0 ? [] : [`${title}: ${members.join(separator)}`];
}
