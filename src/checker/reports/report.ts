import type { ClientReport } from "../client-rules/client-finding.ts";
import type { Level } from "../engine/checker.ts";
import type { CountedViolation, VerdictSummary } from "../engine/verdict.ts";

/** Everything that a check found out; each reporter renders it. The same report gives the same bytes. */
export interface Report {
  readonly summary: VerdictSummary;
  readonly level: Level;
  /** Recordings, or base URLs of the target. */
  readonly sources: readonly string[];
  /** Which profile was taken and why, in a sentence. */
  readonly profileReason: string;
  /** What was asked of a live target; undefined for recordings. */
  readonly probing: ProbingReport | undefined;
  /** Undefined where no baseline was given. */
  readonly baseline: BaselineReport | undefined;
  /** Why the check did not go as far as it was to go, a sentence each; left out where it did. */
  readonly incomplete?: readonly string[];
  /** How the client behaved, which is no part of the verdict on the target; left out where it was not checked. */
  readonly clientRules?: ClientReport;
  /** Left out where the sources were checked as a whole. */
  readonly shard?: ShardReport;
}

/** Which part of a check that others share this is: from 1 to `of`. */
export interface ShardReport {
  readonly index: number;
  readonly of: number;
}

export interface ProbingReport {
  readonly probes: readonly ProbeReport[];
  /** What the probes made at the target and did not take away, by kind and id. */
  readonly created: readonly { readonly kind: string; readonly id: string }[];
  readonly requests: number;
  /** What probes used of the target although nobody gave it. */
  readonly found: readonly FoundValue[];
  /** What the check cannot speak for, so that it does not pass although nothing was found. */
  readonly inconclusive?: readonly InconclusiveRun[];
}

export interface InconclusiveRun {
  /** An API, or the check as a whole. */
  readonly what: string;
  readonly why: string;
}

export interface FoundValue {
  readonly name: string;
  readonly value: string;
  readonly origin: string;
}

export interface ProbeReport {
  readonly id: string;
  readonly summary: string;
  readonly safety: "safe" | "writes" | "destructive";
  readonly outcome: "ran" | "not-run";
  /** Why it was not run, and what would be needed. */
  readonly why: string | undefined;
  /** What it reached, as `operation status`. */
  readonly reached: readonly string[];
}

/** How the violations compare with those that were accepted; by fingerprint, each list sorted. */
export interface BaselineReport {
  readonly file: string;
  /** What the baseline accepts and came again. */
  readonly accepted: readonly string[];
  /** What did not come again, though its rule looked at its operation at its status. */
  readonly fixed: readonly string[];
  /** What did not come again, and nothing looked whether it is still there. */
  readonly unchecked: readonly string[];
}

/** The violations that make a check fail: those that fail and that no baseline accepts. */
export function failures(report: Report): readonly CountedViolation[] {
  return report.summary.violations.filter(
    (violation) => violation.outcome === "FAIL" && !isAccepted(report, violation),
  );
}

export function isAccepted({ baseline }: Report, { fingerprint }: Pick<CountedViolation, "fingerprint">): boolean {
  return baseline?.accepted.includes(fingerprint) === true;
}

/** Whether the check went as far as it was to go. */
export function isComplete(report: Report): boolean {
  return incompleteReasons(report).length === 0;
}

/** Why it did not. */
export function incompleteReasons({ incomplete = [], probing }: Report): readonly string[] {
  return [...incomplete, ...(probing?.inconclusive ?? []).map(({ what, why }) => `${what} was not checked, ${why}`)];
}

/** Whether violations fail the check. Those that were too many to be kept may be any. */
export function isFailed(report: Report): boolean {
  return failures(report).length > 0 || report.summary.violationsDropped > 0;
}
