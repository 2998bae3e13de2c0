import type { Spec } from "../spec/spec.ts";
import type { ExchangeVerdict, Outcome, Violation } from "./judge.ts";

export const violationsKeptMax = 200;

/** What many exchanges came to. */
export interface VerdictSummary {
  readonly profile: Spec["profile"];
  readonly exchanges: number;
  readonly passed: number;
  readonly known: number;
  readonly warned: number;
  readonly failed: number;
  readonly outside: number;
  readonly broken: number;
  readonly matrix: readonly MatrixRow[];
  readonly violations: readonly Violation[];
  readonly violationsDropped: number;
  readonly knownDivergences: readonly { readonly id: string; readonly title: string; readonly count: number }[];
  /** Divergences that a rule could have met and that nothing met. */
  readonly unusedDivergences: readonly string[];
  readonly unseenOperations: readonly string[];
  /** Documented statuses never seen, as `operation status`. */
  readonly unseenStatuses: readonly string[];
}

export interface MatrixRow {
  readonly operationId: string;
  readonly status: number;
  readonly rule: string;
  readonly outcome: Outcome;
  readonly count: number;
}

/** Adds up verdicts in constant memory; violations beyond `violationsKeptMax` are counted only. */
export class Verdict {
  readonly #spec: Spec;
  readonly #matrix = new Map<string, MatrixRow>();
  readonly #met = new Map<string, number>();
  readonly #seen = new Set<string>();
  readonly #violations: Violation[] = [];
  readonly #counts = { exchanges: 0, passed: 0, known: 0, warned: 0, failed: 0, outside: 0, broken: 0 };
  #dropped = 0;

  constructor(spec: Spec) {
    this.#spec = spec;
  }

  add(verdict: ExchangeVerdict): void {
    this.#counts.exchanges += 1;
    if (verdict.type !== "judged") {
      this.#counts[verdict.type] += 1;
      return;
    }
    this.#seen.add(verdict.operationId).add(`${verdict.operationId} ${verdict.status}`);
    const outcomes = new Set(verdict.results.map(({ outcome }) => outcome));
    this.#counts[
      outcomes.has("FAIL") ? "failed" : outcomes.has("KNOWN") ? "known" : outcomes.has("WARN") ? "warned" : "passed"
    ] += 1;
    for (const { rule, outcome, violations } of verdict.results) {
      this.#count({ operationId: verdict.operationId, status: verdict.status, rule, outcome, count: 1 });
      for (const violation of violations) this.#keep(violation);
    }
  }

  summary(): VerdictSummary {
    const { operations, divergences, profile } = this.#spec;
    const documented = operations.flatMap(({ operationId, responses }) =>
      Object.keys(responses)
        .filter((status) => status !== "default")
        .map((status) => `${operationId} ${status}`),
    );
    return {
      profile,
      ...this.#counts,
      matrix: [...this.#matrix.values()],
      violations: this.#violations,
      violationsDropped: this.#dropped,
      knownDivergences: divergences.flatMap(({ id, title }) =>
        this.#met.has(id) ? [{ id, title, count: this.#met.get(id) ?? 0 }] : [],
      ),
      unusedDivergences: divergences
        .filter(({ id, rule }) => rule !== "none" && !this.#met.has(id))
        .map(({ id }) => id),
      unseenOperations: operations
        .map(({ operationId }) => operationId)
        .filter((operationId) => !this.#seen.has(operationId)),
      unseenStatuses: documented.filter((key) => !this.#seen.has(key)),
    };
  }

  #count(row: MatrixRow): void {
    const key = `${row.operationId} ${row.status} ${row.rule} ${row.outcome}`;
    this.#matrix.set(key, { ...row, count: (this.#matrix.get(key)?.count ?? 0) + 1 });
  }

  #keep(violation: Violation): void {
    if (violation.outcome === "KNOWN" && violation.divergence !== undefined) {
      this.#met.set(violation.divergence, (this.#met.get(violation.divergence) ?? 0) + 1);
      return;
    }
    if (this.#violations.length < violationsKeptMax) this.#violations.push(violation);
    else this.#dropped += 1;
  }
}
