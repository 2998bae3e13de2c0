import type { ShownMessage } from "../../engine/shown-violation.ts";
import { type CountedViolation, type VerdictSummary, violationsKeptMax } from "../../engine/verdict.ts";
import { type DriftReport, driftText } from "../drift.ts";
import {
  failures,
  hasChecked,
  incompleteReasons,
  isComplete,
  isFailed,
  notCheckedIn,
  type ProbeReport,
  type ProbingReport,
  type Report,
} from "../report.ts";

/** The result of the check as a sentence. */
export function resultSentence(report: Report): string {
  const { summary, baseline } = report;
  const kinds = failures(report).length;
  const dropped =
    summary.violationsDropped === 0
      ? []
      : [`${counted(summary.violationsDropped, "violation")} of kinds beyond the limit of ${violationsKeptMax}`];
  const noun = baseline === undefined ? "kind" : "new kind";
  const failing = [
    ...(kinds === 0 ? [] : [counted(kinds, noun, "of violation")]),
    ...dropped,
    ...(report.failing ?? []),
  ];
  const accepted =
    baseline === undefined || baseline.accepted.length === 0
      ? ""
      : `; ${counted(baseline.accepted.length, "kind", "of violation")} accepted by ${baseline.file}`;
  const why = isComplete(report) ? "." : `, and is incomplete: ${incompleteText(report)}`;
  if (failing.length > 0) return `The check fails: ${failing.join(", and ")}${accepted}${why}`;
  if (isEmptyShard(report)) return `Nothing to check in this part${accepted}: understudy check merge decides.`;
  const isInconclusive = (report.probing?.inconclusive ?? []).length > 0;
  if (!hasChecked(report) && !isComplete(report)) return `Nothing was checked${accepted}: ${incompleteText(report)}`;
  if (isInconclusive) return `The check is inconclusive${accepted}: ${incompleteText(report)}`;
  return `The check ${isComplete(report) ? "passes" : "found no violation"}${accepted}${why}`;
}

/** Whether the report is of a part without an exchange to check. The other parts may have some. */
function isEmptyShard(report: Report): boolean {
  return report.shard !== undefined && !hasChecked(report);
}

/** The reasons why the check is incomplete. */
export function incompleteText(report: Report): string {
  return incompleteSentences(report).join(" ");
}

export function incompleteSentences(report: Report): readonly string[] {
  return incompleteReasons(report).map((reason) => (reason.endsWith(".") ? reason : `${reason}.`));
}

/** The result as one word. */
export function resultOf(report: Report): "fails" | "incomplete" | "passes" {
  if (isFailed(report)) return "fails";
  return isComplete(report) && !isEmptyShard(report) ? "passes" : "incomplete";
}

/** The numbers of run and skipped probes. */
export function probesText({ probes }: ProbingReport): string {
  const run = probes.filter(({ outcome }) => outcome === "run").length;
  return `${run} run, ${probes.length - run} skipped`;
}

/** `3 kinds of violation`. */
export function counted(count: number, noun: string, rest = ""): string {
  return [String(count), count === 1 ? noun : `${noun}s`, rest].filter((part) => part !== "").join(" ");
}

export function times(count: number): string {
  return counted(count, "time");
}

/** The status of a response, or a text for an incomplete one. */
export function statusText(status: number): string {
  return status === 0 ? "incomplete response" : String(status);
}

/** Method and path of an operation, as in `GET /v2/users`. */
export function routeText({ operations }: VerdictSummary, operationId: string): string {
  const operation = operations.find((candidate) => candidate.operationId === operationId);
  return operation === undefined ? operationId : `${operation.method} ${operation.path}`;
}

/** Operation id with its route: `getV2Users (GET /v2/users)`. */
export function operationText(summary: VerdictSummary, operationId: string): string {
  return `${operationId} (${routeText(summary, operationId)})`;
}

/** Operation, status and route of a violation: `getV2Users 200, GET /v2/users`. */
export function placeText(summary: VerdictSummary, { operationId, status }: CountedViolation): string {
  return `${operationId} ${statusText(status)}, ${routeText(summary, operationId)}`;
}

/** A message as it is sent: line, headers and body. */
export function messageText({ line, headers, body }: ShownMessage): string {
  const head = [line, ...headers.map(([name, value]) => `${name}: ${value}`)].join("\n");
  return body === "" ? head : `${head}\n\n${body}`;
}

export function checkedAgainst({ summary: { profile }, isStrict, profileReason, config }: Report): string {
  const strict = isStrict ? "; --strict: known divergences fail" : "";
  return `Checked against ${profileReason}, registry ${profile.registry}${strict}${config === undefined ? "" : `; config ${config}`}.`;
}

/** Whether the OpenAPI description of the ledger could be compared, and the number of differences; undefined without any. */
export function driftSentence({ drift, summary }: Report): string | undefined {
  if (drift === undefined) return undefined;
  if (drift.problem !== undefined) return `Drift: not checked, ${drift.problem}.`;
  const count = drift.differences.length + drift.dropped;
  if (count === 0) return undefined;
  return `Drift: the OpenAPI description of the ledger differs from ${summary.profile.ledger} in ${counted(count, "place")}.`;
}

/** The operations whose descriptions differ, each with its differences. */
export function driftByOperation({ differences }: DriftReport): readonly Group[] {
  return grouped(differences, ({ operation }) => operation, driftText);
}

/**
 * The number of exchanges by outcome, and the flag that fails on known divergences. Warnings and unsupported exchanges are
 * listed only where there are some.
 */
export function totals({ summary, isStrict }: Report): string {
  const notChecked = notCheckedIn(summary);
  const incomplete = summary.incompleteResponses - notChecked;
  const parts = [
    `${summary.passed} passed`,
    `${summary.known} with known divergences only`,
    ...(summary.warned === 0 ? [] : [counted(summary.warned, "warning")]),
    `${summary.failed} failed${incomplete === 0 ? "" : ` (${counted(incomplete, "incomplete response")})`}`,
    ...(notChecked === 0 ? [] : [`${notChecked} not checked`]),
    ...(summary.unsupported === 0 ? [] : [`${summary.unsupported} unsupported`]),
  ];
  const kinds = summary.knownDivergences.length;
  const breaks = `${counted(kinds, "kind")} of known divergence ${kinds === 1 ? "breaks" : "break"} the spec`;
  const known = kinds === 0 || isStrict ? "" : ` ${breaks}: --strict fails on ${kinds === 1 ? "it" : "them"}.`;
  return `${counted(summary.exchanges, "exchange")}: ${parts.join(", ")}.${known}`;
}

/** Documented statuses not observed, grouped by operation; without operations that were not observed at all. */
export function statusesNotObservedOf({
  statusesNotObserved,
  operationsNotObserved,
}: VerdictSummary): readonly Group[] {
  const pairs = statusesNotObserved
    .map((key) => key.split(" "))
    .filter(([operationId = ""]) => !operationsNotObserved.includes(operationId));
  return grouped(
    pairs,
    ([operationId = ""]) => operationId,
    ([, status = ""]) => status,
  );
}

interface Group {
  readonly name: string;
  readonly members: readonly string[];
}

/** Skipped probes, grouped by reason. */
export function skippedByReason(probes: readonly ProbeReport[]): readonly Group[] {
  const skipped = probes.filter(({ outcome }) => outcome === "skipped");
  return grouped(
    skipped,
    ({ reason }) => reason ?? "no reason given",
    ({ id }) => id,
  );
}

/** What limited the rules on several exchanges: memory, parts of a shard, and missing times. */
export function traceLimits({ coverage: { trace, cuts } }: VerdictSummary): readonly string[] {
  const evicted = Object.entries(trace.evicted).map(([rule, count]) => `${rule}: ${counted(count, "value")} evicted`);
  return [
    ...evicted,
    ...(cuts === 0 ? [] : [`trace restarted ${times(cuts)}: the exchanges between belong to other shards`]),
    ...(trace.resets === 0
      ? []
      : [
          `memory of the trace rules cleared ${times(trace.resets)}: an exchange arrived too late, or too many were open`,
        ]),
    ...(trace.untimed === 0
      ? []
      : [`${counted(trace.untimed, "exchange")} without a usable time, so their order is unknown`]),
    ...(trace.untracked === 0 ? [] : [`${counted(trace.untracked, "exchange")} of targets beyond the limit`]),
  ];
}

/** Reasons for inconclusive results, grouped by rule. */
export function inconclusiveByRule({ coverage }: VerdictSummary): readonly Group[] {
  return grouped(
    coverage.inconclusive,
    ({ rule }) => rule,
    ({ reason, count }) => `${reason} (${times(count)})`,
  );
}

function grouped<Element>(
  elements: readonly Element[],
  nameOf: (element: Element) => string,
  memberOf: (element: Element) => string,
): readonly Group[] {
  return [...Map.groupBy(elements, nameOf)].map(([name, members]) => ({ name, members: members.map(memberOf) }));
}
