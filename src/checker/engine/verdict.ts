import type { Exchange } from "../../foundation/http/exchange.ts";
import { type Mask, plainMask } from "../../foundation/secrets/mask.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { rules } from "../rules/index.ts";
import type { CheckedExchange } from "../rules/rule.ts";
import { documentedStatuses, expectedOperations } from "./documented.ts";
import {
  compareOutcomes,
  type ExchangeVerdict,
  type Outcome,
  outcomeOf,
  outcomes,
  type RuleVerdict,
  type Violation,
} from "./exchange-verdict.ts";
import { type ShownViolation, showViolation } from "./shown-violation.ts";
import type { TraceCoverage } from "./trace.ts";

/** Kinds of violation that a verdict keeps. */
export const violationsKeptMax = 1000;

/** The result of checking many exchanges. Deterministic: the same exchanges give the same summary. */
export interface VerdictSummary {
  readonly profile: Spec["profile"];
  readonly exchanges: number;
  readonly passed: number;
  /** Exchanges whose only findings are known divergences of the release. */
  readonly known: number;
  readonly warned: number;
  readonly failed: number;
  /** Exchanges of operations that are not checked. */
  readonly unsupported: number;
  /** Exchanges with an incomplete response. `failed` or `notChecked` includes them. */
  readonly incompleteResponses: number;
  /** Exchanges without a response that a rule can read; no other count includes them. Absent if there are none. */
  readonly notChecked?: readonly NotChecked[];
  readonly matrix: readonly MatrixRow[];
  /** One violation per kind with its count, sorted by fingerprint. */
  readonly violations: readonly CountedViolation[];
  /** Violations of kinds beyond `violationsKeptMax`. */
  readonly violationsDropped: number;
  /** Rules that threw, with counts. Each is a bug of the checker; a violation describes it. */
  readonly faults: readonly { readonly rule: string; readonly count: number }[];
  readonly knownDivergences: readonly { readonly id: string; readonly title: string; readonly count: number }[];
  /** Known divergences that have a rule and matched no finding. */
  readonly divergencesNotObserved: readonly string[];
  /** The operations of the spec, and the additional operations that were checked. */
  readonly operations: readonly CheckedOperation[];
  /** Total response time of the checked exchanges in milliseconds, by `operation status`. Absent in older reports. */
  readonly responseTimesMs?: Readonly<Record<string, number>>;
  readonly operationsNotObserved: readonly string[];
  /** Documented statuses that no response had, as `operation status`. */
  readonly statusesNotObserved: readonly string[];
  readonly coverage: Coverage;
}

/** The exchanges of an operation whose responses no rule could read, with the reason of the first one. */
interface NotChecked {
  readonly operationId: string;
  readonly reason: string;
  readonly count: number;
}

export interface CheckedOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
}

/**
 * The first violation of its kind among those with the worst outcome. The fingerprint consists of rule, operation, status,
 * place and keyword; it holds no values.
 */
export interface CountedViolation extends ShownViolation {
  readonly fingerprint: string;
  readonly count: number;
}

interface MatrixRow {
  readonly operationId: string;
  readonly status: number;
  readonly rule: string;
  readonly outcome: Outcome;
  readonly count: number;
}

/** The limits of the verdict: what was not checked, and why. */
export interface Coverage {
  /** Rules that applied to no exchange. */
  readonly rulesNotExercised: readonly string[];
  /** Rules that applied without a result, with the reason and a count. */
  readonly inconclusive: readonly { readonly rule: string; readonly reason: string; readonly count: number }[];
  /** What exceeded the memory limits of the trace rules. */
  readonly trace: TraceCoverage;
  /** How often the trace rules restarted within a recording because the exchanges before belong to another shard. */
  readonly cuts: number;
}

type CountsByRule = Map<string, Record<Outcome, number>>;

/** Adds up verdicts in constant memory. Kinds of violation beyond `violationsKeptMax` are only counted. */
export class Verdict {
  readonly #spec: Spec;
  readonly #mask: Mask;
  /** Counts by operation, status, rule and outcome. */
  readonly #matrix = new Map<string, Map<number, CountsByRule>>();
  readonly #matched = new Map<string, number>();
  readonly #faults = new Map<string, number>();
  readonly #inconclusive = new Map<string, { rule: string; reason: string; count: number }>();
  readonly #violations = new Map<string, CountedViolation>();
  readonly #outcomes: Record<Outcome, number> = noneYet();
  readonly #notChecked = new Map<string, NotChecked>();
  readonly #evicted = new Map<string, number>();
  readonly #timesMs = new Map<string, number>();
  readonly #counts = { exchanges: 0, unsupported: 0, incompleteResponses: 0 };
  readonly #trace = { resets: 0, untimed: 0, untracked: 0 };
  #dropped = 0;
  #cuts = 0;

  /** `mask` redacts secrets in violations. */
  constructor(spec: Spec, mask: Mask = plainMask) {
    this.#spec = spec;
    this.#mask = mask;
  }

  /** Returns the worst outcome of the verdict; undefined for an unsupported exchange. */
  add(verdict: ExchangeVerdict): Outcome | undefined {
    this.#counts.exchanges += 1;
    if (verdict.type === "unsupported") {
      this.#counts.unsupported += 1;
      return undefined;
    }
    const { exchange, operationId, status, results } = verdict;
    if (status === 0) this.#counts.incompleteResponses += 1;
    const key = `${operationId} ${status}`;
    this.#timesMs.set(key, (this.#timesMs.get(key) ?? 0) + usableTime(exchange));
    const outcome = outcomeOf(verdict);
    if (isRead(status, outcome)) this.#outcomes[outcome] += 1;
    else this.#addNotChecked(operationId, 1, exchange);
    const counts = this.#countsOf(operationId, status);
    for (const result of results) this.#count(counts, result, exchange);
    return outcome;
  }

  /** Adds the result of a trace rule on an exchange that was added before and has this outcome so far. Returns the worse one. */
  addResult({ exchange, operation, status }: CheckedExchange, result: RuleVerdict, outcomeBefore: Outcome): Outcome {
    this.#count(this.#countsOf(operation.operationId, status), result, exchange);
    if (compareOutcomes(result.outcome, outcomeBefore) <= 0) return outcomeBefore;
    if (isRead(status, outcomeBefore)) this.#outcomes[outcomeBefore] -= 1;
    else this.#addNotChecked(operation.operationId, -1, exchange);
    this.#outcomes[result.outcome] += 1;
    return result.outcome;
  }

  #addNotChecked(operationId: string, count: number, { response }: Exchange): void {
    const reason = (response.type === "broken" ? response.reason : undefined) ?? "no response";
    const known = this.#notChecked.get(operationId) ?? { operationId, reason, count: 0 };
    this.#notChecked.set(operationId, { ...known, count: known.count + count });
  }

  addInconclusive(rule: string, reason: string): void {
    const key = `${rule} ${reason}`;
    const { count } = this.#inconclusive.get(key) ?? { count: 0 };
    this.#inconclusive.set(key, { rule, reason, count: count + 1 });
  }

  addTraceCoverage({ evicted, resets, untimed, untracked }: TraceCoverage): void {
    for (const [rule, count] of Object.entries(evicted))
      this.#evicted.set(rule, (this.#evicted.get(rule) ?? 0) + count);
    this.#trace.resets += resets;
    this.#trace.untimed += untimed;
    this.#trace.untracked += untracked;
  }

  /** Counts a gap: the exchanges before the next one are missing. */
  addCut(): void {
    this.#cuts += 1;
  }

  /** Number of failed exchanges so far. */
  get failed(): number {
    return this.#outcomes.FAIL;
  }

  summary(): VerdictSummary {
    const { divergences, profile } = this.#spec;
    const observed = this.#observed();
    const checked = expectedOperations(this.#spec, observed);
    const documented = checked.flatMap((operation) =>
      documentedStatuses(operation).map((status) => `${operation.operationId} ${status}`),
    );
    const { PASS, KNOWN, WARN, FAIL } = this.#outcomes;
    const notChecked = [...this.#notChecked.values()]
      .filter(({ count }) => count > 0)
      .sort(byText(({ operationId }) => operationId));
    return {
      profile,
      exchanges: this.#counts.exchanges,
      passed: PASS,
      known: KNOWN,
      warned: WARN,
      failed: FAIL,
      unsupported: this.#counts.unsupported,
      incompleteResponses: this.#counts.incompleteResponses,
      ...(notChecked.length === 0 ? {} : { notChecked }),
      matrix: this.#rows().sort(byText(rowKey)),
      violations: [...this.#violations.values()].sort(byText(({ fingerprint }) => fingerprint)),
      violationsDropped: this.#dropped,
      faults: [...this.#faults].map(([rule, count]) => ({ rule, count })).sort(byText(({ rule }) => rule)),
      knownDivergences: divergences.flatMap(({ id, title }) =>
        this.#matched.has(id) ? [{ id, title, count: this.#matched.get(id) ?? 0 }] : [],
      ),
      divergencesNotObserved: divergences
        .filter(({ id, rule }) => rule !== "none" && !this.#matched.has(id))
        .map(({ id }) => id),
      operations: checked.map(({ operationId, method, path }) => ({ operationId, method, path })),
      responseTimesMs: Object.fromEntries(
        [...this.#timesMs].map(([key, timeMs]) => [key, Math.round(timeMs)] as const).sort(byText(([key]) => key)),
      ),
      operationsNotObserved: checked
        .map(({ operationId }) => operationId)
        .filter((operationId) => !observed.has(operationId)),
      statusesNotObserved: documented.filter((key) => !observed.has(key)),
      coverage: this.#coverage(),
    };
  }

  #coverage(): Coverage {
    const applied = new Set(this.#rows().map(({ rule }) => rule));
    return {
      rulesNotExercised: rules.map(({ id }) => id).filter((id) => !applied.has(id)),
      inconclusive: [...this.#inconclusive.values()].sort(byText(({ rule, reason }) => `${rule} ${reason}`)),
      trace: { ...this.#trace, evicted: Object.fromEntries([...this.#evicted].sort()) },
      cuts: this.#cuts,
    };
  }

  /** Observed operations and statuses, as `operation` and `operation status`. */
  #observed(): ReadonlySet<string> {
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

  #count(counts: CountsByRule, { rule, outcome, violations, isFault }: RuleVerdict, exchange: Exchange): void {
    if (isFault === true) this.#faults.set(rule, (this.#faults.get(rule) ?? 0) + 1);
    entryOf(counts, rule, noneYet)[outcome] += 1;
    for (const violation of violations) this.#keep(violation, exchange);
  }

  #keep(violation: Violation, exchange: Exchange): void {
    if (violation.outcome === "KNOWN" && violation.divergence !== undefined) {
      this.#matched.set(violation.divergence, (this.#matched.get(violation.divergence) ?? 0) + 1);
      return;
    }
    const fingerprint = this.#mask(fingerprintOf(violation).slice(0, fingerprintMax));
    const found = this.#violations.get(fingerprint);
    const isWorse = found === undefined || compareOutcomes(violation.outcome, found.outcome) > 0;
    if (found === undefined && this.#violations.size >= violationsKeptMax) this.#dropped += 1;
    else if (isWorse) {
      const count = (found?.count ?? 0) + 1;
      this.#violations.set(fingerprint, { ...showViolation(violation, exchange, this.#mask), fingerprint, count });
    } else this.#violations.set(fingerprint, { ...found, count: found.count + 1 });
  }
}

/** Whether a rule could read the response. An incomplete response without a finding shows nothing about the target. */
function isRead(status: number, outcome: Outcome): boolean {
  return status !== 0 || outcome !== "PASS";
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

/** The time of an exchange. A recording may have none, or an invalid one. */
function usableTime({ durationMs }: Exchange): number {
  return durationMs > 0 && durationMs < Number.MAX_SAFE_INTEGER ? durationMs : 0;
}

function rowKey({ operationId, status, rule, outcome }: MatrixRow): string {
  return `${operationId} ${status} ${rule} ${outcome}`;
}

/** Characters of a fingerprint. The target controls the length of pointers. */
const fingerprintMax = 500;

/** Identifies the kind of a violation. List indices are replaced by `*`. */
function fingerprintOf({ rule, operationId, status, pointer, keyword }: FingerprintParts): string {
  const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*");
  return [rule, operationId, status, place === "" ? "-" : place, ...(keyword === undefined ? [] : [keyword])].join(" ");
}

type FingerprintParts = Pick<Violation, "rule" | "operationId" | "status" | "pointer" | "keyword">;

function byText<Element>(textOf: (element: Element) => string): (left: Element, right: Element) => number {
  return (left, right) => (textOf(left) < textOf(right) ? -1 : textOf(left) > textOf(right) ? 1 : 0);
}
