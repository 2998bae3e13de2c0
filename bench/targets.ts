import type { CaseResult } from "./results.ts";

/** A bound on a value, or on its ratio to another value of the same case. */
export interface Target {
  readonly case: string;
  readonly subject: string;
  readonly against?: string;
  readonly relation: "≥" | "≤";
  readonly limit: number;
}

export interface Verdict {
  readonly target: Target;
  /** The number or the ratio; undefined if one of its values was not measured. */
  readonly found: number | undefined;
  readonly isMet: boolean | undefined;
  /** The same ratio by the processor time of a request, which other load on the machine changes less; undefined if it was not measured. */
  readonly byProcessor?: number;
}

export const targets: readonly Target[] = [
  atLeast("users", 0.75, "bare"),
  atLeast("users", 8, "wiremock"),
  atLeast("users", 20, "prism"),
  atLeast("transfer-factory", 0.6, "bare"),
  atLeast("patch", 0.6, "bare"),
  atLeast("rights", 0.6, "bare"),
  atMost("start", 1.5, "bare"),
  atMost("start", 0.15, "prism"),
  atMost("memory-idle", 1.5, "bare"),
  atMost("memory-growth", 20),
  { case: "fork", subject: "fork", relation: "≤", limit: 20 },
  { case: "fork-memory", subject: "fork", relation: "≤", limit: 1000 },
  { case: "page", subject: "at the end", against: "at the start", relation: "≤", limit: 1.2 },
  { case: "fixture", subject: "understudy", against: "JSON.parse", relation: "≤", limit: 3 },
  { case: "check", subject: "one core", against: "JSON.parse", relation: "≥", limit: 0.5 },
  atMost("tail", 2, "bare"),
];

function atLeast(name: string, limit: number, against: string): Target {
  return { case: name, subject: "understudy", against, relation: "≥", limit };
}

function atMost(name: string, limit: number, against?: string): Target {
  return { case: name, subject: "understudy", ...(against === undefined ? {} : { against }), relation: "≤", limit };
}

/** The targets of the cases that were run. */
export function verdictsOn(cases: readonly CaseResult[], all: readonly Target[] = targets): readonly Verdict[] {
  return all.flatMap((target) => {
    const found = cases.find(({ name }) => name === target.case);
    return found === undefined ? [] : [exchangeVerdict(found, target)];
  });
}

function exchangeVerdict({ measurements, unit }: CaseResult, target: Target): Verdict {
  const of = (subject: string | undefined) => measurements.find((measurement) => measurement.subject === subject);
  const [value, other] = [of(target.subject), of(target.against)];
  if (value === undefined || (other === undefined && target.against !== undefined))
    return { target, found: undefined, isMet: undefined };
  const found = value.value / (other?.value ?? 1);
  const isMet = target.relation === "≥" ? found >= target.limit : found <= target.limit;
  const isRate = unit === "requests/s" && value.cpuMicros !== undefined && other?.cpuMicros !== undefined;
  return { target, found, isMet, ...(isRate ? { byProcessor: other.cpuMicros / value.cpuMicros } : {}) };
}
