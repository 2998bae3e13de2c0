import { median, type Row, type Subject, subjects } from "./rows.ts";
import { stateful } from "./servers/servers.ts";

/** A bound on a figure of Understudy, or on its ratio to the same figure of others: of the fastest of them. */
export interface Target {
  readonly row: string;
  readonly relation: "≥" | "≤";
  readonly limit: number;
  readonly against?: "reference" | "msw" | "any peer" | "any peer with state";
}

export interface Verdict {
  readonly target: Target;
  readonly row: Row;
  /** The figure or the ratio; NaN if one of its values was not measured. */
  readonly found: number;
  /** The same of the other checkout. */
  readonly before: number;
}

const others: Readonly<Record<string, readonly Subject[]>> = {
  reference: ["reference"],
  msw: ["msw"],
  "any peer": ["prism", "mockoon", "wiremock", "specmatic"],
  "any peer with state": stateful,
};

/** Bounds of the processor time of a request in both worlds, and of the requests a second. */
function ofTraffic(name: string, timesBare: number, timesPeers: number, against: Target["against"]): readonly Target[] {
  return [
    { row: `${name}-small`, relation: "≤", limit: timesBare, against: "reference" },
    { row: name, relation: "≤", limit: timesBare, against: "reference" },
    { row: `${name}-rate`, relation: "≥", limit: timesPeers, against: against ?? "any peer" },
  ];
}

export const targets: readonly Target[] = [
  ...ofTraffic("users", 1.5, 5, "any peer"),
  ...ofTraffic("lookups", 2, 5, "any peer"),
  ...ofTraffic("patch", 1.8, 1, "any peer with state"),
  ...ofTraffic("grants", 2, 1, "any peer with state"),
  ...ofTraffic("mixed", 1.8, 1, "any peer with state"),
  { row: "execute", relation: "≤", limit: 200 },
  { row: "execute-rate", relation: "≥", limit: 1, against: "any peer with state" },
  { row: "tail", relation: "≤", limit: 1.5, against: "reference" },
  { row: "start", relation: "≤", limit: 1.5, against: "reference" },
  { row: "memory-idle", relation: "≤", limit: 1.6, against: "reference" },
  { row: "memory-growth", relation: "≤", limit: 10 },
  ...["page", "lookup", "grant", "active-contracts", "update"].map(
    (name): Target => ({ row: `worlds-${name}`, relation: "≤", limit: 1.2 }),
  ),
  { row: "fork", relation: "≤", limit: 20 },
  { row: "fork-memory", relation: "≤", limit: 1000 },
  { row: "fixture", relation: "≤", limit: 3, against: "reference" },
  { row: "check", relation: "≤", limit: 10, against: "reference" },
  { row: "shards", relation: "≥", limit: 1.8 },
  { row: "record", relation: "≤", limit: 1 },
  { row: "suite-test", relation: "≤", limit: 3 },
  { row: "suite-first", relation: "≤", limit: 300 },
  { row: "suite", relation: "≤", limit: 1.2, against: "msw" },
];

/** The targets of the measured rows. */
export function verdictsOn(rows: readonly Row[], all: readonly Target[] = targets): readonly Verdict[] {
  return all.flatMap((target) => {
    const row = rows.find(({ name }) => name === target.row);
    if (row === undefined) return [];
    const of = (subject: Subject) => median(row.values.get(subject)) / otherOf(row, target);
    return [{ target, row, found: of("understudy"), before: of("before") }];
  });
}

/** The best figure of the others; 1 for a bound that has no others. */
function otherOf({ values }: Row, { against, relation }: Target): number {
  if (against === undefined) return 1;
  const figures = (others[against] ?? [])
    .map((name) => median(values.get(name)))
    .filter((figure) => !Number.isNaN(figure));
  if (figures.length === 0) return Number.NaN;
  return relation === "≥" ? Math.max(...figures) : Math.min(...figures);
}

export function isMet({ target: { relation, limit }, found }: Verdict): boolean | undefined {
  if (Number.isNaN(found)) return undefined;
  return relation === "≥" ? found >= limit : found <= limit;
}

export function boundText({ target: { relation, limit, against }, row: { unit } }: Verdict): string {
  if (against === undefined) return `${relation} ${limit} ${unit}`;
  const title = against === "msw" ? subjects.msw : against;
  return `${relation} ${limit} × ${title}`;
}
