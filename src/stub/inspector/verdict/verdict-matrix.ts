import type { TrafficLine, WorldVerdict } from "../parts/control-api.ts";

type Entry = WorldVerdict["matrix"][number];
export type Outcome = Entry["outcome"];

/** Worst first. */
export const outcomes: readonly Outcome[] = ["FAIL", "WARN", "KNOWN", "PASS"];

/** Rule results of an operation: a row per rule, a column per status. */
export interface OperationMatrix {
  readonly operationId: string;
  readonly statuses: readonly number[];
  readonly rows: readonly { readonly rule: string; readonly cells: readonly (readonly Entry[])[] }[];
}

/** Groups the matrix by operation, optionally filtered by outcome. */
export function operationsOf(matrix: readonly Entry[], wanted: Outcome | undefined): readonly OperationMatrix[] {
  const shown = matrix.filter(({ outcome }) => wanted === undefined || outcome === wanted);
  return [...Map.groupBy(shown, ({ operationId }) => operationId)]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([operationId, entries]) => ({ operationId, ...rowsOf(entries) }));
}

function rowsOf(entries: readonly Entry[]): Omit<OperationMatrix, "operationId"> {
  const statuses = [...new Set(entries.map(({ status }) => status))].sort((left, right) => left - right);
  const rows = [...Map.groupBy(entries, ({ rule }) => rule)]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([rule, own]) => ({
      rule,
      cells: statuses.map((status) =>
        own
          .filter((entry) => entry.status === status)
          .sort((left, right) => outcomes.indexOf(left.outcome) - outcomes.indexOf(right.outcome)),
      ),
    }));
  return { statuses, rows };
}

/** Number of results per outcome. */
export function countsOf(matrix: readonly Entry[]): Readonly<Record<Outcome, number>> {
  const counts = { FAIL: 0, WARN: 0, KNOWN: 0, PASS: 0 };
  for (const { outcome, count } of matrix) counts[outcome] += count;
  return counts;
}

/** The newest exchange that broke a rule, by operation, status and rule. */
export function brokenIn(lines: readonly TrafficLine[]): ReadonlyMap<string, number> {
  return new Map(
    lines.flatMap((line) =>
      line.rules.map(({ rule }) => [brokenKey({ ...line, rule, status: line.status ?? 0 }), line.number] as const),
    ),
  );
}

export function brokenKey(broken: {
  readonly operationId: string | null;
  readonly status: number;
  readonly rule: string;
}): string {
  return `${broken.operationId ?? ""} ${broken.status} ${broken.rule}`;
}
