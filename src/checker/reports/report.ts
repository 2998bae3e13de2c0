import { type ClientReport, hasErrors } from "../client-rules/client-finding.ts";
import type { CountedViolation, VerdictSummary } from "../engine/verdict.ts";
import type { DriftReport } from "./drift.ts";

/** The complete result of a check, the input of every reporter. The same report always renders to the same bytes. */
export interface Report {
  readonly summary: VerdictSummary;
  /** Whether known divergences fail: `--strict`. */
  readonly isStrict: boolean;
  /** Recordings, or base URLs of the target. */
  readonly sources: readonly string[];
  /** The chosen profile and the reason for it, as a phrase. */
  readonly profileReason: string;
  /** The config file; absent without one. */
  readonly config?: string;
  /** Where the config or target file describes the live target; absent without such a file. */
  readonly place?: { readonly file: string; readonly line: number };
  /** The command that repeats the check, without secrets; absent for a check that no command made. */
  readonly command?: string;
  /** The probes of a live target; undefined for recordings. */
  readonly probing: ProbingReport | undefined;
  /** Absent where no description was compared: for recordings, a registry alone, and with `--no-drift`. */
  readonly drift?: DriftReport;
  /** Undefined without a baseline. */
  readonly baseline: BaselineReport | undefined;
  /** The reasons why the check is incomplete; absent for a complete check. */
  readonly incomplete?: readonly string[];
  /** What fails the check by `--fail-on`, as phrases; absent where nothing does. */
  readonly failing?: readonly string[];
  /** The client findings, separate from the verdict on the target; absent where the client was not checked. */
  readonly clientRules?: ClientReport;
  /** Absent where the sources were checked as a whole. */
  readonly shard?: ShardReport;
}

/** The shard of a check that this report covers: 1 to `of`. */
export interface ShardReport {
  readonly index: number;
  readonly of: number;
  /**
   * The recordings whose size is known, which divides them into parts. All shards need the same. Absent for a live target, and
   * in older reports.
   */
  readonly recordings?: readonly SizedRecording[];
}

export interface SizedRecording {
  readonly file: string;
  /** When the shard began to read it. */
  readonly bytes: number;
}

export interface ProbingReport {
  /** Part of all ids that the probes created. Absent in older reports, and for shards with different seeds. */
  readonly seed?: string;
  readonly probes: readonly ProbeReport[];
  /** Entities that probes created at the target and did not remove. */
  readonly created: readonly { readonly kind: string; readonly id: string }[];
  /** Requests of the probes, without those that look up the release and ids before. */
  readonly requests: number;
  /** Values that probes used and no option gave: discovered at the target, or generated. */
  readonly values: readonly ProbeValue[];
  /** Parts without a conclusive result. With any of them, a check without violations does not pass. */
  readonly inconclusive?: readonly InconclusiveRun[];
}

export interface InconclusiveRun {
  /** An API, an operation without a success, or more than half of the target. */
  readonly subject: string;
  readonly reason: string;
}

export interface ProbeValue {
  readonly name: string;
  readonly value: string;
  readonly origin: "discovered" | "generated";
}

export interface ProbeReport {
  readonly id: string;
  readonly summary: string;
  readonly safety: "safe" | "writes" | "destructive";
  readonly outcome: "run" | "skipped";
  /** Why the probe was skipped and which option it needs, or why it ended early. */
  readonly reason: string | undefined;
  /** The observed responses, as `operation status`. */
  readonly reached: readonly string[];
  /** Total time of its responses. Absent in older reports. */
  readonly responseTimeMs?: number;
}

/** The beginning of the reason of a probe that the flags do not allow. */
export const notAllowed = "changes the target";

/** The violations compared with the baseline: sorted lists of fingerprints. */
export interface BaselineReport {
  readonly file: string;
  /** In the baseline and found again. */
  readonly accepted: readonly string[];
  /** In the baseline and not found again, although the rule was applied to the operation and status. */
  readonly fixed: readonly string[];
  /** In the baseline; the rule was not applied to the operation and status. */
  readonly unchecked: readonly string[];
}

/** The violations that make the check fail: outcome FAIL and not accepted by the baseline. */
export function failures(report: Report): readonly CountedViolation[] {
  return report.summary.violations.filter(
    (violation) => violation.outcome === "FAIL" && !isAccepted(report, violation),
  );
}

export function isAccepted({ baseline }: Report, { fingerprint }: Pick<CountedViolation, "fingerprint">): boolean {
  return baseline?.accepted.includes(fingerprint) === true;
}

/** Whether the check covered all that was requested. */
export function isComplete(report: Report): boolean {
  return incompleteReasons(report).length === 0;
}

/** The reasons why the check is incomplete. */
export function incompleteReasons(report: Report): readonly string[] {
  const { incomplete = [], probing } = report;
  return [...incomplete, ...inconclusiveTexts([...(probing?.inconclusive ?? []), ...withoutResponse(report)])];
}

/** The operations of which no response could be read. Another shard may have read one. */
function withoutResponse({ summary, shard, probing }: Report): readonly InconclusiveRun[] {
  if (shard !== undefined || probing !== undefined) return [];
  const read = new Set(summary.matrix.filter(({ status }) => status > 0).map(({ operationId }) => operationId));
  const { notChecked = [] } = summary;
  return notChecked
    .filter(({ operationId }) => !read.has(operationId))
    .map(({ operationId, reason }) => ({ subject: operationId, reason }));
}

/** Number of exchanges without a response that a rule could read. */
export function notCheckedIn({ notChecked = [] }: Report["summary"]): number {
  return notChecked.reduce((sum, { count }) => sum + count, 0);
}

/** Whether the report has a verdict on any exchange. */
export function hasChecked({ summary }: Report): boolean {
  return summary.exchanges - summary.unsupported - notCheckedIn(summary) > 0;
}

/** What was not checked, as one phrase for each reason. */
export function inconclusiveTexts(runs: readonly InconclusiveRun[]): readonly string[] {
  return [...Map.groupBy(runs, ({ reason }) => reason)].map(([reason, same]) => {
    const subjects = same.map(({ subject }) => subject).join(", ");
    return `${subjects} ${same.length === 1 ? "was" : "were"} not checked: ${reason}`;
  });
}

/** Whether the check is complete and nothing fails it, neither at the target nor, if it was checked, at the client. */
export function hasPassed(report: Report): boolean {
  const { clientRules } = report;
  const isClientFine = clientRules === undefined || (!hasErrors(clientRules) && clientRules.faults.length === 0);
  return isComplete(report) && !isFailed(report) && isClientFine;
}

/** Whether violations, or findings that `--fail-on` names, fail the check. Violations beyond the limit count as failures. */
export function isFailed(report: Report): boolean {
  return failures(report).length > 0 || report.summary.violationsDropped > 0 || report.failing !== undefined;
}
