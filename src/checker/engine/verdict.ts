import { type Mask, plainMask } from "../../foundation/secrets/mask.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { rules } from "../rules/index.ts";
import type { CheckedExchange } from "../rules/rule.ts";
import type { ExchangeVerdict, Outcome, RuleResult, Violation } from "./checker.ts";
import { outcomeOf } from "./exchange-verdict.ts";
import { type ShownViolation, showViolation } from "./shown-violation.ts";
import type { TraceCoverage } from "./trace.ts";

/** Different violations that a verdict tells apart. */
export const violationsKeptMax = 1000;

/** What many exchanges came to. The same exchanges give the same value. */
export interface VerdictSummary {
  readonly profile: Spec["profile"];
  readonly exchanges: number;
  readonly passed: number;
  readonly known: number;
  readonly warned: number;
  readonly failed: number;
  readonly outside: number;
  /** Answers that did not come whole; they count among the failed ones. */
  readonly broken: number;
  readonly matrix: readonly MatrixRow[];
  /** One of each kind, with how often it came, by fingerprint. */
  readonly violations: readonly CountedViolation[];
  /** Violations of further kinds, beyond `violationsKeptMax`. */
  readonly violationsDropped: number;
  /** Rules that failed themselves, and how often: faults of the checker, each with a violation that says how. */
  readonly faults: readonly { readonly rule: string; readonly count: number }[];
  readonly knownDivergences: readonly { readonly id: string; readonly title: string; readonly count: number }[];
  /** Divergences that a rule could have met and that nothing met. */
  readonly unusedDivergences: readonly string[];
  /** The documented operations, and those outside the spec that were checked. */
  readonly operations: readonly CheckedOperation[];
  readonly unseenOperations: readonly string[];
  /** Documented statuses never seen, as `operation status`. */
  readonly unseenStatuses: readonly string[];
  readonly coverage: Coverage;
}

export interface CheckedOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
}

/** The first violation of its kind, of those with the worst outcome. The fingerprint names rule, operation, status, place and keyword, and no values. */
export interface CountedViolation extends ShownViolation {
  readonly fingerprint: string;
  readonly count: number;
}

export interface MatrixRow {
  readonly operationId: string;
  readonly status: number;
  readonly rule: string;
  readonly outcome: Outcome;
  readonly count: number;
}

/** What the verdict does not rest on. */
export interface Coverage {
  /** Rules that had nothing to look at. */
  readonly unusedRules: readonly string[];
  /** How often a rule that applied could not tell, and why. */
  readonly silences: readonly { readonly rule: string; readonly why: string; readonly count: number }[];
  /** What did not fit the bounds of the trace rules' memory. */
  readonly trace: TraceCoverage;
  /** How often the trace rules began anew in the middle of a recording, since what is before belongs to another shard. */
  readonly cuts: number;
}

type CountsByRule = Map<string, Record<Outcome, number>>;

/** Adds up verdicts in constant memory; violations beyond `violationsKeptMax` are counted only. */
export class Verdict {
  readonly #spec: Spec;
  readonly #mask: Mask;
  /** Counts by operation, status, rule and outcome. */
  readonly #matrix = new Map<string, Map<number, CountsByRule>>();
  readonly #met = new Map<string, number>();
  readonly #faults = new Map<string, number>();
  readonly #silences = new Map<string, { rule: string; why: string; count: number }>();
  readonly #violations = new Map<string, CountedViolation>();
  readonly #outcomes: Record<Outcome, number> = noneYet();
  readonly #forgotten = new Map<string, number>();
  readonly #counts = { exchanges: 0, outside: 0, broken: 0 };
  readonly #trace = { late: 0, untimed: 0, untracked: 0 };
  #dropped = 0;
  #cuts = 0;

  /** `mask` takes secrets out of what is kept of violations. */
  constructor(spec: Spec, mask: Mask = plainMask) {
    this.#spec = spec;
    this.#mask = mask;
  }

  /** Gives the worst that the verdict says; undefined where it says nothing. */
  add(verdict: ExchangeVerdict): Outcome | undefined {
    this.#counts.exchanges += 1;
    if (verdict.type === "outside") {
      this.#counts.outside += 1;
      return undefined;
    }
    const { operationId, status, results } = verdict;
    if (status === 0) this.#counts.broken += 1;
    const outcome = outcomeOf(verdict);
    this.#outcomes[outcome] += 1;
    const counts = this.#countsOf(operationId, status);
    for (const result of results) this.#count(counts, result);
    return outcome;
  }

  /** Adds what a trace rule said of an exchange that was added before with this outcome. */
  addResult({ operation, status }: CheckedExchange, result: RuleResult, outcomeBefore: Outcome): void {
    this.#count(this.#countsOf(operation.operationId, status), result);
    if (rank[result.outcome] <= rank[outcomeBefore]) return;
    this.#outcomes[outcomeBefore] -= 1;
    this.#outcomes[result.outcome] += 1;
  }

  addSilence(rule: string, why: string): void {
    const key = `${rule} ${why}`;
    const { count } = this.#silences.get(key) ?? { count: 0 };
    this.#silences.set(key, { rule, why, count: count + 1 });
  }

  addTraceCoverage({ forgotten, late, untimed, untracked }: TraceCoverage): void {
    for (const [rule, count] of Object.entries(forgotten))
      this.#forgotten.set(rule, (this.#forgotten.get(rule) ?? 0) + count);
    this.#trace.late += late;
    this.#trace.untimed += untimed;
    this.#trace.untracked += untracked;
  }

  /** Says that exchanges are missing before those that come. */
  addCut(): void {
    this.#cuts += 1;
  }

  /** Exchanges that failed so far. */
  get failed(): number {
    return this.#outcomes.FAIL;
  }

  summary(): VerdictSummary {
    const { operations, divergences, profile } = this.#spec;
    const seen = this.#seen();
    const checked = operations.filter(({ isAdditional, operationId }) => !isAdditional || seen.has(operationId));
    const documented = checked.flatMap(({ operationId, responses }) =>
      Object.keys(responses)
        .filter((status) => status !== "default")
        .map((status) => `${operationId} ${status}`),
    );
    const { PASS, KNOWN, WARN, FAIL } = this.#outcomes;
    return {
      profile,
      exchanges: this.#counts.exchanges,
      passed: PASS,
      known: KNOWN,
      warned: WARN,
      failed: FAIL,
      outside: this.#counts.outside,
      broken: this.#counts.broken,
      matrix: this.#rows().sort(byText(rowKey)),
      violations: [...this.#violations.values()].sort(byText(({ fingerprint }) => fingerprint)),
      violationsDropped: this.#dropped,
      faults: [...this.#faults].map(([rule, count]) => ({ rule, count })).sort(byText(({ rule }) => rule)),
      knownDivergences: divergences.flatMap(({ id, title }) =>
        this.#met.has(id) ? [{ id, title, count: this.#met.get(id) ?? 0 }] : [],
      ),
      unusedDivergences: divergences
        .filter(({ id, rule }) => rule !== "none" && !this.#met.has(id))
        .map(({ id }) => id),
      operations: checked.map(({ operationId, method, path }) => ({ operationId, method, path })),
      unseenOperations: checked.map(({ operationId }) => operationId).filter((operationId) => !seen.has(operationId)),
      unseenStatuses: documented.filter((key) => !seen.has(key)),
      coverage: this.#coverage(),
    };
  }

  #coverage(): Coverage {
    const applied = new Set(this.#rows().map(({ rule }) => rule));
    return {
      unusedRules: rules.map(({ id }) => id).filter((id) => !applied.has(id)),
      silences: [...this.#silences.values()].sort(byText(({ rule, why }) => `${rule} ${why}`)),
      trace: { ...this.#trace, forgotten: Object.fromEntries([...this.#forgotten].sort()) },
      cuts: this.#cuts,
    };
  }

  /** Operations that answered, and which statuses they answered with, as `operation status`. */
  #seen(): ReadonlySet<string> {
    const statuses = [...this.#matrix].flatMap(([operationId, byStatus]) =>
      [...byStatus.keys()].filter((status) => status > 0).map((status) => [operationId, `${operationId} ${status}`]),
    );
    return new Set(statuses.flat());
  }

  #rows(): MatrixRow[] {
    return [...this.#matrix].flatMap(([operationId, byStatus]) =>
      [...byStatus].flatMap(([status, byRule]) =>
        [...byRule].flatMap(([rule, byOutcome]) =>
          outcomes
            .filter((outcome) => byOutcome[outcome] > 0)
            .map((outcome) => ({ operationId, status, rule, outcome, count: byOutcome[outcome] })),
        ),
      ),
    );
  }

  #countsOf(operationId: string, status: number): CountsByRule {
    const byStatus = entryOf(this.#matrix, operationId, noEntries<number, CountsByRule>);
    return entryOf(byStatus, status, noEntries<string, Record<Outcome, number>>);
  }

  #count(counts: CountsByRule, { rule, outcome, violations, isFault }: RuleResult): void {
    if (isFault === true) this.#faults.set(rule, (this.#faults.get(rule) ?? 0) + 1);
    entryOf(counts, rule, noneYet)[outcome] += 1;
    for (const violation of violations) this.#keep(violation);
  }

  #keep(violation: Violation): void {
    if (violation.outcome === "KNOWN" && violation.divergence !== undefined) {
      this.#met.set(violation.divergence, (this.#met.get(violation.divergence) ?? 0) + 1);
      return;
    }
    const fingerprint = this.#mask(fingerprintOf(violation).slice(0, fingerprintMax));
    const found = this.#violations.get(fingerprint);
    const isWorse = found === undefined || rank[violation.outcome] > rank[found.outcome];
    if (found === undefined && this.#violations.size >= violationsKeptMax) this.#dropped += 1;
    else if (isWorse) {
      const count = (found?.count ?? 0) + 1;
      this.#violations.set(fingerprint, { ...showViolation(violation, this.#mask), fingerprint, count });
    } else this.#violations.set(fingerprint, { ...found, count: found.count + 1 });
  }
}

function noEntries<Key, Value>(): Map<Key, Value> {
  return new Map();
}

function noneYet(): Record<Outcome, number> {
  return { PASS: 0, KNOWN: 0, WARN: 0, FAIL: 0 };
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}

function rowKey({ operationId, status, rule, outcome }: MatrixRow): string {
  return `${operationId} ${status} ${rule} ${outcome}`;
}

/** Characters of a fingerprint: a pointer may be as long as a target likes. */
const fingerprintMax = 500;

/** What a violation has in common with those of its kind; indices of lists do not count. */
export function fingerprintOf({ rule, operationId, status, pointer, keyword }: FingerprintParts): string {
  const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*");
  return [rule, operationId, status, place === "" ? "-" : place, ...(keyword === undefined ? [] : [keyword])].join(" ");
}

type FingerprintParts = Pick<Violation, "rule" | "operationId" | "status" | "pointer" | "keyword">;

function byText<Element>(textOf: (element: Element) => string): (left: Element, right: Element) => number {
  return (left, right) => (textOf(left) < textOf(right) ? -1 : textOf(left) > textOf(right) ? 1 : 0);
}

const rank: Readonly<Record<Outcome, number>> = { PASS: 0, KNOWN: 1, WARN: 2, FAIL: 3 };

const outcomes: readonly Outcome[] = ["PASS", "KNOWN", "WARN", "FAIL"];
