import type { Outcome } from "../../engine/checker.ts";
import type { CountedViolation } from "../../engine/verdict.ts";
import { isAccepted, type Report } from "../report.ts";

/** What a rule said of one status of an operation. */
export interface Cell {
  readonly operationId: string;
  readonly status: number;
  readonly rule: string;
  readonly counts: Readonly<Partial<Record<Outcome, number>>>;
  readonly violations: readonly CountedViolation[];
  readonly mark: Mark;
}

/** The worst of a cell. `accepted` is a failure that a baseline accepts. */
export type Mark = "passed" | "warned" | "known" | "accepted" | "failed";

export const marks: readonly Mark[] = ["failed", "accepted", "known", "warned", "passed"];

/** The cells of the matrix operation × status × rule, in its order. */
export function cellsOf(report: Report): readonly Cell[] {
  const found = Map.groupBy(violationsInOrder(report), keyOf);
  const rows = Map.groupBy(report.summary.matrix, keyOf);
  return [...rows].flatMap(([key, group]) => {
    const [first] = group;
    if (first === undefined) return [];
    const { operationId, status, rule } = first;
    const counts = Object.fromEntries(group.map(({ outcome, count }) => [outcome, count]));
    const cell = { operationId, status, rule, counts, violations: found.get(key) ?? [] };
    return [{ ...cell, mark: markOf(report, cell) }];
  });
}

/** A failure whose violation was not kept is one that nobody has accepted. */
function markOf(report: Report, { counts, violations }: Omit<Cell, "mark">): Mark {
  const failing = violations.filter(({ outcome }) => outcome === "FAIL");
  const isAllAccepted = failing.length > 0 && failing.every((violation) => isAccepted(report, violation));
  if (counts.FAIL !== undefined) return isAllAccepted ? "accepted" : "failed";
  if (counts.KNOWN !== undefined) return "known";
  return counts.WARN === undefined ? "passed" : "warned";
}

function keyOf({ operationId, status, rule }: Pick<Cell, "operationId" | "status" | "rule">): string {
  return `${operationId} ${status} ${rule}`;
}

/** How a violation is marked. */
export function markOfViolation(report: Report, violation: CountedViolation): Mark {
  if (isAccepted(report, violation)) return "accepted";
  return violation.outcome === "FAIL" ? "failed" : "warned";
}

/** Kinds of violation that are shown as one; not empty. */
export type Alike = readonly [CountedViolation, ...CountedViolation[]];

/** Warnings of one cause together, at whatever operations; anything else stands for itself. */
export function alikeIn(report: Report, violations: readonly CountedViolation[]): readonly Alike[] {
  const groups = Map.groupBy(violations, (violation) => {
    const { fingerprint, rule, divergence, expected, actual, pointer } = violation;
    const isWarning = markOfViolation(report, violation) === "warned";
    return isWarning ? JSON.stringify([rule, divergence, expected, actual, pointer]) : fingerprint;
  });
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others] as const],
  );
}

/** How often all of them came. */
export function countOf(alike: Alike): number {
  return alike.reduce((sum, { count }) => sum + count, 0);
}

/** Violations that fail first, then warnings, then what a baseline accepts. */
export function violationsInOrder(report: Report): readonly CountedViolation[] {
  const order: readonly Mark[] = ["failed", "warned", "accepted"];
  const rankOf = (violation: CountedViolation) => order.indexOf(markOfViolation(report, violation));
  return report.summary.violations.toSorted((left, right) => rankOf(left) - rankOf(right));
}
