import { failures, type ProbeReport, type Report } from "../report.ts";
import { type VerdictSummary, violationsKeptMax } from "../verdict.ts";

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
  const asked = probesText(report);
  if (failing.length > 0) return `The check fails: ${failing.join(", and ")}${accepted}${asked}.`;
  const unjudged = (report.probing?.unjudged ?? []).map(({ what, why }) => `${what} was not judged, ${why}`);
  return unjudged.length === 0
    ? `The check passes${accepted}${asked}.`
    : `The check does not pass: ${unjudged.join("; ")}${accepted}${asked}.`;
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

/** The status of an answer, in words where none came whole. */
export function statusText(status: number): string {
  return status === 0 ? "no whole answer" : String(status);
}

export function judgedAgainst({ summary: { profile }, level, profileReason }: Report): string {
  return `Judged against ${profileReason}; registry ${profile.registry}, level ${level}.`;
}

/** How many exchanges came to what. */
export function totals(summary: VerdictSummary): string {
  const parts = [
    `${summary.passed} passed`,
    `${summary.failed} failed`,
    `${summary.known} known`,
    `${summary.warned} warned`,
    `${summary.outside} outside the document`,
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
export function notRunByReason(probes: readonly ProbeReport[]): readonly Group[] {
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
