import { contracts } from "../../foundation/spec/contracts.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { clientRules } from "../client-rules/index.ts";
import type { Counts, CoverageCounts } from "../engine/consumer-coverage.ts";
import { documentedStatuses, expectedOperations } from "../engine/documented.ts";

/** The kinds of coverage, each with a threshold of its own. */
export const coverageKinds = ["operations", "statuses", "error-codes", "client-rules"] as const;
export type CoverageKind = (typeof coverageKinds)[number];

/** What the tests of a consumer have exercised, compared with what the contract documents. */
export interface CoverageReport {
  readonly profiles: readonly CoverageCounts["profile"][];
  readonly exchanges: number;
  readonly unmatched: number;
  readonly kinds: Readonly<Record<CoverageKind, { readonly seen: number; readonly expected: number }>>;
  readonly operations: readonly OperationCoverage[];
  readonly errorCodes: readonly ErrorCodeCoverage[];
  readonly clientRules: readonly ClientRuleCoverage[];
}

/** An operation that the contract documents, with the exchanges of the tests by status and by error code. */
export interface OperationCoverage {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly statuses: Counts;
  readonly codes: Counts;
  /** Documented statuses that no test met, and `another error` for the description of all others. Empty for an operation that no test called. */
  readonly neverSeen: readonly string[];
}

export interface ErrorCodeCoverage {
  readonly code: string;
  readonly status: number;
  readonly when: string;
  readonly count: number;
}

/** A client rule that concerns an operation that the tests called. */
export interface ClientRuleCoverage {
  readonly rule: string;
  readonly summary: string;
  readonly exercised: number;
  readonly broken: number;
}

/** The errors of the ledger that an operation's description does not name one by one. */
export const anotherError = "another error";

/** Adds the counts of all processes and compares them with the specs of their profiles. */
export function coverageReport(all: readonly CoverageCounts[], specs: readonly Spec[]): CoverageReport {
  const counts = added(all);
  const operations = [...operationsOf(specs, counts).values()].map((operation) => operationCoverage(operation, counts));
  const called = operations.filter(isCalled);
  const errorCodes = errorCodesOf(specs, called);
  const rules = clientRulesOf(called, counts);
  const expectedStatuses = called.map(({ operationId }) => outcomesOf(operationOf(specs, operationId)).length);
  const missed = sumOf(called.map(({ neverSeen }) => neverSeen.length));
  return {
    profiles: specs.map(({ profile }) => profile),
    exchanges: counts.exchanges,
    unmatched: counts.unmatched,
    kinds: {
      operations: { seen: called.length, expected: operations.length },
      statuses: { seen: sumOf(expectedStatuses) - missed, expected: sumOf(expectedStatuses) },
      "error-codes": { seen: errorCodes.filter(({ count }) => count > 0).length, expected: errorCodes.length },
      "client-rules": { seen: rules.filter(({ exercised }) => exercised > 0).length, expected: rules.length },
    },
    operations,
    errorCodes,
    clientRules: rules,
  };
}

/** The coverage of a kind in whole per cent, rounded down: 100 means all. */
export function percentOf({ kinds }: Pick<CoverageReport, "kinds">, kind: CoverageKind): number {
  const { seen, expected } = kinds[kind];
  return expected === 0 ? 100 : Math.floor((seen * 100) / expected);
}

export function isCalled({ statuses }: Pick<OperationCoverage, "statuses">): boolean {
  return Object.keys(statuses).length > 0;
}

/** The expected operations of all profiles by id. */
function operationsOf(specs: readonly Spec[], { operations }: Added): ReadonlyMap<string, SpecOperation> {
  const observed = new Set(Object.keys(operations));
  return new Map(
    specs.flatMap((spec) => expectedOperations(spec, observed)).map((operation) => [operation.operationId, operation]),
  );
}

function operationOf(specs: readonly Spec[], id: string): SpecOperation | undefined {
  return specs.flatMap(({ operations }) => operations).findLast(({ operationId }) => operationId === id);
}

function operationCoverage(operation: SpecOperation, { operations }: Added): OperationCoverage {
  const { operationId, method, path } = operation;
  const { statuses, codes } = operations[operationId] ?? { statuses: {}, codes: {} };
  const documented = documentedStatuses(operation);
  const isOtherMet = Object.keys(statuses).some((status) => Number(status) >= 400 && !documented.includes(status));
  const missed = outcomesOf(operation).filter((outcome) =>
    outcome === anotherError ? !isOtherMet : statuses[outcome] === undefined,
  );
  const neverSeen = isCalled({ statuses }) ? missed : [];
  return { operationId, method, path, statuses, codes, neverSeen };
}

/** The outcomes that the description of an operation names. */
function outcomesOf(operation: SpecOperation | undefined): readonly string[] {
  if (operation === undefined) return [];
  return [...documentedStatuses(operation), ...(operation.responses["default"] === undefined ? [] : [anotherError])];
}

/** The error codes of the ledger that its profiles send; none if no test called the ledger. */
function errorCodesOf(specs: readonly Spec[], called: readonly OperationCoverage[]): readonly ErrorCodeCoverage[] {
  if (!called.some(({ operationId }) => operationOf(specs, operationId)?.api === "ledger")) return [];
  const isSentBy = ({ profile }: Spec, category: number) =>
    profile.ledger === "spec" || contracts.errorCodes.categories[category]?.redacted !== true;
  return contracts.errorCodes.codes.flatMap(({ code, category, http, when }) => {
    if (http === null || !specs.some((spec) => isSentBy(spec, category))) return [];
    return [{ code, status: http, when, count: sumOf(called.map(({ codes }) => codes[code] ?? 0)) }];
  });
}

function clientRulesOf(called: readonly OperationCoverage[], counts: Added): readonly ClientRuleCoverage[] {
  const ids = new Set(called.map(({ operationId }) => operationId));
  return clientRules
    .filter(({ operations }) => (operations === undefined ? ids.size > 0 : operations.some((id) => ids.has(id))))
    .map(({ id, summary }) => ({ rule: id, summary, ...(counts.clientRules[id] ?? { exercised: 0, broken: 0 }) }));
}

type Added = Omit<CoverageCounts, "profile">;

function added(all: readonly CoverageCounts[]): Added {
  const operations: Record<string, { statuses: Counts; codes: Counts }> = {};
  const rules: Record<string, { exercised: number; broken: number }> = {};
  for (const counts of all) {
    for (const [id, { statuses, codes }] of Object.entries(counts.operations)) {
      const before = operations[id] ?? { statuses: {}, codes: {} };
      operations[id] = { statuses: sum(before.statuses, statuses), codes: sum(before.codes, codes) };
    }
    for (const [id, { exercised, broken }] of Object.entries(counts.clientRules)) {
      const before = rules[id] ?? { exercised: 0, broken: 0 };
      rules[id] = { exercised: before.exercised + exercised, broken: before.broken + broken };
    }
  }
  return {
    exchanges: sumOf(all.map(({ exchanges }) => exchanges)),
    unmatched: sumOf(all.map(({ unmatched }) => unmatched)),
    operations,
    clientRules: rules,
  };
}

function sum(left: Counts, right: Counts): Counts {
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].sort();
  return Object.fromEntries(names.map((name) => [name, (left[name] ?? 0) + (right[name] ?? 0)]));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
