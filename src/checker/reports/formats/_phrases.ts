import { type CountedViolation, type VerdictSummary, violationsKeptMax } from "../../engine/verdict.ts";
import { failures, incompleteReasons, isComplete, isFailed, type ProbeReport, type Report } from "../report.ts";

/** Whether the check fails and by what, in a sentence. */
export function resultSentence(report: Report): string {
  const { summary, baseline } = report;
  const kinds = failures(report).length;
  const dropped =
    summary.violationsDropped === 0
      ? []
      : [`${counted(summary.violationsDropped, "violation")} beyond the ${violationsKeptMax} kinds that are kept`];
  const noun = baseline === undefined ? "kind" : "new kind";
  const failing = [...(kinds === 0 ? [] : [counted(kinds, noun, "of violation")]), ...dropped];
  const accepted =
    baseline === undefined || baseline.accepted.length === 0
      ? ""
      : `; ${counted(baseline.accepted.length, "kind", "of violation")} accepted by ${baseline.file}`;
  const rest = `${accepted}${probesText(report)}`;
  const why = isComplete(report) ? "." : `, and is incomplete: ${incompleteText(report)}`;
  if (failing.length > 0) return `The check fails: ${failing.join(", and ")}${rest}${why}`;
  const isInconclusive = (report.probing?.inconclusive ?? []).length > 0;
  if (isInconclusive) return `The check does not pass${rest}: ${incompleteText(report)}`;
  return `The check passes${isComplete(report) ? "" : " as far as it went"}${rest}${why}`;
}

/** Why the check did not go as far as it was to go. */
export function incompleteText(report: Report): string {
  return incompleteReasons(report)
    .map((reason) => (reason.endsWith(".") ? reason : `${reason}.`))
    .join(" ");
}

/** The result in a word. */
export function resultOf(report: Report): "fails" | "incomplete" | "passes" {
  if (isFailed(report)) return "fails";
  return isComplete(report) ? "passes" : "incomplete";
}

/** What of a live target was asked, and what was not. */
function probesText({ probing }: Report): string {
  if (probing === undefined) return "";
  const ran = probing.probes.filter(({ outcome }) => outcome === "ran").length;
  return ` (${counted(ran, "probe")} ran, ${probing.probes.length - ran} did not)`;
}

/** `3 kinds of violation`. */
export function counted(count: number, noun: string, rest = ""): string {
  return [String(count), count === 1 ? noun : `${noun}s`, rest].filter((part) => part !== "").join(" ");
}

export function times(count: number): string {
  return counted(count, "time");
}

/** The status of a response, in words where none came whole. */
export function statusText(status: number): string {
  return status === 0 ? "no whole response" : String(status);
}

/** Method and path of an operation, as in `GET /v2/users`. */
export function routeText({ operations }: VerdictSummary, operationId: string): string {
  const operation = operations.find((candidate) => candidate.operationId === operationId);
  return operation === undefined ? operationId : `${operation.method} ${operation.path}`;
}

/** An operation for people: `getV2Users (GET /v2/users)`. */
export function operationText(summary: VerdictSummary, operationId: string): string {
  return `${operationId} (${routeText(summary, operationId)})`;
}

/** What broke a rule: `getV2Users 200, GET /v2/users`. */
export function placeText(summary: VerdictSummary, { operationId, status }: CountedViolation): string {
  return `${operationId} ${statusText(status)}, ${routeText(summary, operationId)}`;
}

export function checkedAgainst({ summary: { profile }, level, profileReason }: Report): string {
  return `Checked against ${profileReason}; registry ${profile.registry}, level ${level}.`;
}

/** How many exchanges came to what. */
export function totals(summary: VerdictSummary): string {
  const parts = [
    `${summary.passed} passed`,
    `${summary.failed} failed`,
    `${summary.known} known`,
    `${summary.warned} warned`,
    `${summary.outside} outside the spec`,
    `${summary.broken} broken`,
  ];
  return `${counted(summary.exchanges, "exchange")}: ${parts.join(", ")}.`;
}

/** Statuses never seen of the operations that were, by operation. */
export function unseenStatusesOf({ unseenStatuses, unseenOperations }: VerdictSummary): readonly Group[] {
  const pairs = unseenStatuses
    .map((key) => key.split(" "))
    .filter(([operationId = ""]) => !unseenOperations.includes(operationId));
  return grouped(
    pairs,
    ([operationId = ""]) => operationId,
    ([, status = ""]) => status,
  );
}

export interface Group {
  readonly name: string;
  readonly members: readonly string[];
}

/** Probes that were not run, by reason. */
export function skippedByReason(probes: readonly ProbeReport[]): readonly Group[] {
  const notRun = probes.filter(({ outcome }) => outcome === "not-run");
  return grouped(
    notRun,
    ({ why }) => why ?? "no reason is told",
    ({ id }) => id,
  );
}

/** What the verdict rests less on than it seems, a sentence's part each. */
export function memoryLimits({ coverage: { trace, cuts } }: VerdictSummary): readonly string[] {
  const forgotten = Object.entries(trace.forgotten).map(([rule, count]) => `${rule} forgot ${counted(count, "value")}`);
  return [
    ...forgotten,
    ...(cuts === 0 ? [] : [`the trace was cut ${times(cuts)}, since other shards judge what came between`]),
    ...(trace.late === 0 ? [] : [`${counted(trace.late, "exchange")} came too late to be put in order`]),
    ...(trace.untimed === 0 ? [] : [`${counted(trace.untimed, "exchange")} without a usable time`]),
    ...(trace.untracked === 0 ? [] : [`${counted(trace.untracked, "exchange")} of targets beyond the limit`]),
  ];
}

/** Why rules that applied could not tell, by rule. */
export function silencesByRule({ coverage }: VerdictSummary): readonly Group[] {
  return grouped(
    coverage.silences,
    ({ rule }) => rule,
    ({ why, count }) => `${why} (${times(count)})`,
  );
}

function grouped<Element>(
  elements: readonly Element[],
  nameOf: (element: Element) => string,
  memberOf: (element: Element) => string,
): readonly Group[] {
  return [...Map.groupBy(elements, nameOf)].map(([name, members]) => ({ name, members: members.map(memberOf) }));
}
