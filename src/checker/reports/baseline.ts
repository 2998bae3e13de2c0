import { stringify } from "yaml";
import { printable } from "../../foundation/text/printable.ts";
import { faultKeyword } from "../engine/rule-fault.ts";
import type { CountedViolation, VerdictSummary } from "../engine/verdict.ts";
import type { BaselineReport } from "./report.ts";

/** The findings of a target that somebody has looked at and accepts. */
export interface Baseline {
  readonly accepted: readonly BaselineEntry[];
}

export interface BaselineEntry {
  readonly fingerprint: string;
  /** An entry that was a warning accepts no failure. */
  readonly outcome: "FAIL" | "WARN";
  /** What was found, for whoever reviews the file. */
  readonly says: string;
  /** Why it is accepted, in the words of whoever accepts it; kept when the file is written again. */
  readonly reason?: string;
}

/** How what was found compares with what is accepted. */
export function compareBaseline(file: string, { accepted }: Baseline, summary: VerdictSummary): BaselineReport {
  const found = new Map(summary.violations.map((violation) => [violation.fingerprint, violation]));
  const entries = new Map(accepted.map((entry) => [entry.fingerprint, entry]));
  const looked = new Set(summary.matrix.map(({ rule, operationId, status }) => `${rule} ${operationId} ${status}`));
  // What was too much to be kept may be what seems to be missing.
  const isMissingSure = summary.violationsDropped === 0;
  const missing = [...entries.keys()].filter((fingerprint) => !found.has(fingerprint)).sort();
  const isFixed = (fingerprint: string) => isMissingSure && looked.has(fingerprint.split(" ").slice(0, 3).join(" "));
  return {
    file,
    accepted: [...found.values()].filter((violation) => isCovered(violation, entries)).map(fingerprintIn),
    fixed: missing.filter(isFixed),
    unchecked: missing.filter((fingerprint) => !isFixed(fingerprint)),
  };
}

/** The baseline that accepts what was found now, a rule's own faults apart. Reasons that `before` gives are kept. */
export function baselineOf({ violations }: VerdictSummary, before: Baseline): Baseline {
  const reasons = new Map(before.accepted.map(({ fingerprint, reason }) => [fingerprint, reason]));
  const accepted = violations.flatMap((violation) => {
    const { fingerprint, outcome, keyword } = violation;
    if ((outcome !== "FAIL" && outcome !== "WARN") || keyword === faultKeyword) return [];
    const reason = reasons.get(fingerprint);
    return [{ fingerprint, outcome, says: sentenceOn(violation), ...(reason === undefined ? {} : { reason }) }];
  });
  return { accepted };
}

/** A baseline as the text of its file. */
export function formatBaseline({ accepted }: Baseline): string {
  return `${heading}${stringify({ accepted }, { lineWidth: 0 })}`;
}

const heading = `# What understudy check found and somebody accepts. A check with --baseline fails on what is not here.
# Written by --update-baseline; give an entry a reason: it is kept when the file is written again.
`;

function isCovered({ fingerprint, outcome }: CountedViolation, entries: ReadonlyMap<string, BaselineEntry>): boolean {
  const entry = entries.get(fingerprint);
  return entry !== undefined && (entry.outcome === "FAIL" || outcome === "WARN");
}

const fingerprintIn = ({ fingerprint }: CountedViolation) => fingerprint;

function sentenceOn({ operationId, status, expected, actual }: CountedViolation): string {
  const place = `${operationId} ${status === 0 ? "without a whole response" : status}`;
  return printable(`${place}: expected ${expected}, came ${actual}`);
}
