import type { TrafficLine } from "../parts/control-api.ts";
import { problemsOf, type Sides } from "../parts/problems.ts";

/** Filter of the traffic list. Empty fields match everything. */
export interface TrafficFilter {
  /** `only`: exchanges with a problem. */
  readonly problems: "" | "only";
  /** An operationId, or `unsupported`. */
  readonly operation: string;
  /** A status such as 409, a class such as 4xx, or `broken`. */
  readonly status: string;
  readonly outcome: string;
  /** A rule or a client rule. */
  readonly rule: string;
  /** Part of method and target, case-insensitive. */
  readonly text: string;
}

export const noFilter: TrafficFilter = {
  problems: "",
  operation: "",
  status: "",
  outcome: "",
  rule: "",
  text: "",
};

export function isFiltering(filter: TrafficFilter): boolean {
  return Object.values(filter).some((value) => value.trim() !== "");
}

export function filteredLines(
  lines: readonly TrafficLine[],
  filter: TrafficFilter,
  sides: Sides,
): readonly TrafficLine[] {
  if (!isFiltering(filter)) return lines;
  const text = filter.text.trim().toLowerCase();
  const { problems, operation, status, outcome, rule } = filter;
  return lines.filter(
    (line) =>
      (problems === "" || problemsOf(line, sides).length > 0) &&
      (operation === "" || (line.operationId ?? "unsupported") === operation) &&
      (status === "" || isOfStatus(line, status)) &&
      (outcome === "" || line.outcome === outcome) &&
      (rule === "" || rulesOf(line).includes(rule)) &&
      (text === "" || `${line.method} ${line.target}`.toLowerCase().includes(text)),
  );
}

function isOfStatus({ status, broken }: TrafficLine, wanted: string): boolean {
  if (wanted === "broken") return broken !== null;
  if (status === null) return false;
  return wanted.endsWith("xx") ? String(status)[0] === wanted[0] : String(status) === wanted;
}

function rulesOf({ rules, clientRules }: TrafficLine): readonly string[] {
  return [...clientRules, ...rules].map(({ rule }) => rule);
}

/** Sorted values that the traffic can be filtered by. */
export interface Facets {
  readonly operations: readonly string[];
  readonly statuses: readonly string[];
  readonly rules: readonly string[];
}

export const noFacets: Facets = { operations: [], statuses: [], rules: [] };

/** Adds the values of lines; returns the same object if none is new. */
export function facetsWith(facets: Facets, lines: readonly TrafficLine[]): Facets {
  const operations = new Set(facets.operations);
  const statuses = new Set(facets.statuses);
  const rules = new Set(facets.rules);
  for (const line of lines) {
    if (line.operationId !== null) operations.add(line.operationId);
    if (line.status !== null) statuses.add(String(line.status));
    for (const rule of rulesOf(line)) rules.add(rule);
  }
  const isSame =
    operations.size === facets.operations.length &&
    statuses.size === facets.statuses.length &&
    rules.size === facets.rules.length;
  if (isSame) return facets;
  return { operations: [...operations].sort(), statuses: [...statuses].sort(), rules: [...rules].sort() };
}
