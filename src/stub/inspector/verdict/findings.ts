import type { ShownClientFinding, TrafficLine, WorldVerdict } from "../parts/control-api.ts";
import { type ProblemKind, problemKinds, problemsOf, type Sides, worstOf } from "../parts/problems.ts";

type Violation = WorldVerdict["violations"][number];

/** A broken rule at one operation, with its places and its exchanges. */
export interface ShownFinding<Found> {
  readonly key: string;
  /** The first of the places; they differ in pointer, expected and actual value. */
  readonly first: Found;
  readonly places: readonly Found[];
  /** Number of exchanges that broke the rule. */
  readonly count: number;
  /** The exchanges in the journal, in ascending order. */
  readonly numbers: readonly number[];
}

/** The client findings by rule and operation: errors first, then by first occurrence. */
export function clientFindingsOf(
  findings: readonly ShownClientFinding[],
  lines: readonly TrafficLine[],
): readonly ShownFinding<ShownClientFinding>[] {
  const grouped = groups(findings, ({ severity, rule, operationId }) => `${severity} ${rule} ${operationId}`);
  const found = grouped.map(({ key, first, places }) => {
    const { rule, operationId } = first;
    const numbers = lines
      .filter((line) => line.operationId === operationId && line.clientRules.some((each) => each.rule === rule))
      .map(({ number }) => number);
    return { key, first, places, numbers, count: Math.max(numbers.length, 1) };
  });
  return [...found].sort((left, right) => left.first.severity.localeCompare(right.first.severity));
}

/** Requests that match no operation or no entry of the plan, by kind and target. They break no client rule. */
export function unexpectedOf(lines: readonly TrafficLine[], sides: Sides): readonly ShownFinding<ProblemKind>[] {
  return problemKinds(lines, sides)
    .filter(({ of, isRule }) => of === "client" && !isRule)
    .map((kind) => {
      const { name, operation, count, newest } = kind;
      return { key: `${name} ${operation}`, first: kind, places: [], count, numbers: [newest] };
    });
}

/** The violations by rule, operation and status, failures first. */
export function violationsOf(
  { violations, matrix }: Pick<WorldVerdict, "violations" | "matrix">,
  lines: readonly TrafficLine[],
): readonly ShownFinding<Violation>[] {
  const grouped = groups(violations, ({ outcome, ...violation }) => `${outcome} ${placeOf(violation)}`);
  const counts = new Map(matrix.map((entry) => [`${entry.outcome} ${placeOf(entry)}`, entry.count]));
  const found = grouped.map(({ key, first, places }) => {
    const numbers = lines
      .filter(({ operationId, status }) => operationId === first.operationId && (status ?? 0) === first.status)
      .filter(({ rules }) => rules.some(({ rule, outcome }) => rule === first.rule && outcome === first.outcome))
      .map(({ number }) => number);
    return { key, first, places, numbers, count: counts.get(key) ?? numbers.length };
  });
  const rank = ({ first }: ShownFinding<Violation>) => ["FAIL", "WARN", "KNOWN"].indexOf(first.outcome);
  return [...found].sort((left, right) => rank(left) - rank(right));
}

function placeOf(at: Pick<Violation, "rule" | "operationId" | "status">): string {
  return `${at.rule} ${at.operationId} ${at.status}`;
}

function groups<Found>(all: readonly Found[], keyOf: (found: Found) => string) {
  return [...Map.groupBy(all, keyOf)].flatMap(([key, places]) => {
    const [first] = places;
    return first === undefined ? [] : [{ key, first, places }];
  });
}

/** Numbers of exchanges by the worst finding about their requests. */
export function clientCountsOf(lines: readonly TrafficLine[], sides: Sides) {
  const worst = lines.map((line) => worstOf(problemsOf(line, sides).filter(({ of }) => of === "client")));
  const errors = worst.filter((severity) => severity === "error").length;
  const warnings = worst.filter((severity) => severity === "warning").length;
  return { errors, warnings, fine: lines.length - errors - warnings };
}
