import type { WorldVerdict } from "../parts/control-api.ts";

type Entry = WorldVerdict["matrix"][number];
export type MatrixOutcome = Entry["outcome"];

/** Worst first. */
export const outcomes: readonly MatrixOutcome[] = ["FAIL", "WARN", "KNOWN", "PASS"];

/** Rule results of an operation: a row per rule, a column per status. */
export interface OperationMatrix {
  readonly operationId: string;
  readonly statuses: readonly number[];
  /** Worst first. */
  readonly rows: readonly RuleRow[];
}

/** The results of a rule by status, in numbers of exchanges. */
export interface RuleRow {
  readonly rule: string;
  readonly worst: MatrixOutcome;
  readonly cells: readonly (readonly Entry[])[];
}

/** Groups the matrix by operation, the worst first, optionally filtered by outcome. */
export function operationsOf(matrix: readonly Entry[], wanted: MatrixOutcome | undefined): readonly OperationMatrix[] {
  const shown = matrix.filter(({ outcome }) => wanted === undefined || outcome === wanted);
  return [...Map.groupBy(shown, ({ operationId }) => operationId)]
    .map(([operationId, entries]) => ({ operationId, worst: worstOf(entries), ...rowsOf(entries) }))
    .sort((left, right) => byWorst(left, right) || byText(left.operationId, right.operationId));
}

function rowsOf(entries: readonly Entry[]): Omit<OperationMatrix, "operationId"> {
  const statuses = [...new Set(entries.map(({ status }) => status))].sort((left, right) => left - right);
  const rows = [...Map.groupBy(entries, ({ rule }) => rule)]
    .map(([rule, own]) => ({
      rule,
      worst: worstOf(own),
      cells: statuses.map((status) =>
        own
          .filter((entry) => entry.status === status)
          .sort((left, right) => outcomes.indexOf(left.outcome) - outcomes.indexOf(right.outcome)),
      ),
    }))
    .sort((left, right) => byWorst(left, right) || byText(left.rule, right.rule));
  return { statuses, rows };
}

function worstOf(entries: readonly Entry[]): MatrixOutcome {
  return outcomes.find((outcome) => entries.some((entry) => entry.outcome === outcome)) ?? "PASS";
}

function byWorst(left: { readonly worst: MatrixOutcome }, right: { readonly worst: MatrixOutcome }): number {
  return outcomes.indexOf(left.worst) - outcomes.indexOf(right.worst);
}

function byText(left: string, right: string): number {
  return left < right ? -1 : 1;
}

/** Number of exchanges by their worst rule result. */
export function countsOf({ failed, warned, known, passed }: WorldVerdict): Readonly<Record<MatrixOutcome, number>> {
  return { FAIL: failed, WARN: warned, KNOWN: known, PASS: passed };
}
