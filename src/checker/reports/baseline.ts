import { stringify } from "yaml";
import { printable } from "../../foundation/text/printable.ts";
import { faultKeyword } from "../engine/rule-fault.ts";
import type { CountedViolation, VerdictSummary } from "../engine/verdict.ts";
import type { BaselineReport } from "./report.ts";

/** The accepted findings of a target. */
export interface Baseline {
  readonly accepted: readonly BaselineEntry[];
}

export interface BaselineEntry {
  readonly fingerprint: string;
  /** An accepted warning does not accept a failure. */
  readonly outcome: "FAIL" | "WARN";
  /** The finding as text, for reviewers of the file. */
  readonly finding: string;
  /** Why the finding is accepted, written by the user; kept by --update-baseline. */
  readonly reason?: string;
}

/** Compares the violations with the baseline. */
export function compareBaseline(file: string, { accepted }: Baseline, summary: VerdictSummary): BaselineReport {
  const found = new Map(summary.violations.map((violation) => [violation.fingerprint, violation]));
  const entries = new Map(accepted.map((entry) => [entry.fingerprint, entry]));
  const applied = new Set(summary.matrix.map(({ rule, operationId, status }) => `${rule} ${operationId} ${status}`));
  // Violations beyond the limit may include the missing ones.
  const isMissingSure = summary.violationsDropped === 0;
  const missing = [...entries.keys()].filter((fingerprint) => !found.has(fingerprint)).sort();
  const isFixed = (fingerprint: string) => isMissingSure && applied.has(fingerprint.split(" ").slice(0, 3).join(" "));
  return {
    file,
    accepted: [...found.values()].filter((violation) => isCovered(violation, entries)).map(fingerprintIn),
    fixed: missing.filter(isFixed),
    unchecked: missing.filter((fingerprint) => !isFixed(fingerprint)),
  };
}

/** A baseline that accepts all current violations except rule faults. Reasons in `before` are kept. */
export function baselineOf({ violations }: VerdictSummary, before: Baseline): Baseline {
  const reasons = new Map(before.accepted.map(({ fingerprint, reason }) => [fingerprint, reason]));
  const accepted = violations.flatMap((violation) => {
    const { fingerprint, outcome, keyword } = violation;
    if ((outcome !== "FAIL" && outcome !== "WARN") || keyword === faultKeyword) return [];
    const reason = reasons.get(fingerprint);
    return [{ fingerprint, outcome, finding: sentenceOn(violation), ...(reason === undefined ? {} : { reason }) }];
  });
  return { accepted };
}

/** Formats a baseline as YAML. */
export function formatBaseline({ accepted }: Baseline): string {
  return `${heading}${stringify({ accepted }, { lineWidth: 0 })}`;
}

const heading = `# Accepted findings of understudy check. With --baseline, a check fails only on findings that are not listed here.
# Written by --update-baseline, which keeps the reasons that you add.
`;

function isCovered({ fingerprint, outcome }: CountedViolation, entries: ReadonlyMap<string, BaselineEntry>): boolean {
  const entry = entries.get(fingerprint);
  return entry !== undefined && (entry.outcome === "FAIL" || outcome === "WARN");
}

const fingerprintIn = ({ fingerprint }: CountedViolation) => fingerprint;

function sentenceOn({ operationId, status, expected, actual }: CountedViolation): string {
  const place = `${operationId} ${status === 0 ? "incomplete response" : status}`;
  return printable(`${place}: expected ${expected}, actual ${actual}`);
}
