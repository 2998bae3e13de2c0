import type { Outcome } from "../../engine/exchange-verdict.ts";
import type { CountedViolation } from "../../engine/verdict.ts";
import { isAccepted, type Report } from "../report.ts";

/** The results of a rule for one status of an operation. */
export interface Cell {
  readonly operationId: string;
  readonly status: number;
  readonly rule: string;
  readonly counts: Readonly<Partial<Record<Outcome, number>>>;
  readonly violations: readonly CountedViolation[];
  readonly mark: Mark;
}

/** The worst result of a cell. `accepted` is a failure that the baseline accepts. */
export type Mark = "passed" | "warned" | "known" | "accepted" | "failed";

export const marks: readonly Mark[] = ["failed", "accepted", "known", "warned", "passed"];

/** The cells of the matrix operation × status × rule, in the order of the matrix. */
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

/** A failure without a kept violation counts as not accepted. */
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

/** The mark of a violation. */
export function markOfViolation(report: Report, violation: CountedViolation): Mark {
  if (isAccepted(report, violation)) return "accepted";
  return violation.outcome === "FAIL" ? "failed" : "warned";
}

/** Kinds of violation that are shown as one; never empty. */
export type ViolationGroup = readonly [CountedViolation, ...CountedViolation[]];

/** Groups violations with the same rule and finding: one problem of the target has one group with its places. */
export function groupViolations(report: Report, violations: readonly CountedViolation[]): readonly ViolationGroup[] {
  const groups = Map.groupBy(violations, (violation) => {
    const { rule, divergence, expected, actual, pointer } = violation;
    const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*");
    return JSON.stringify([markOfViolation(report, violation), rule, divergence, expected, actual, place]);
  });
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others] as const],
  );
}

/** The number of violations in a group. */
export function countOf(group: ViolationGroup): number {
  return group.reduce((sum, { count }) => sum + count, 0);
}

/** Violations in the order failed, warned, accepted. */
export function violationsInOrder(report: Report): readonly CountedViolation[] {
  const order: readonly Mark[] = ["failed", "warned", "accepted"];
  const rankOf = (violation: CountedViolation) => order.indexOf(markOfViolation(report, violation));
  return report.summary.violations.toSorted((left, right) => rankOf(left) - rankOf(right));
}
