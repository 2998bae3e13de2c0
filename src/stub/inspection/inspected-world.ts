import { Checker, type Outcome, type RuleResult, type Violation } from "../../checker/engine/checker.ts";
import { outcomeOf } from "../../checker/engine/exchange-verdict.ts";
import { Verdict, type VerdictSummary } from "../../checker/engine/verdict.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import type { PointInTime } from "../hosting/hosting.ts";
import type { JournalRecord } from "../journal/journal.ts";
import type { InspectedTraffic, Strictness } from "./source.ts";

/** What the rules say of an exchange so far; `OUTSIDE` where it is of no operation. */
export interface Said {
  readonly outcome: Outcome | "OUTSIDE";
  readonly violations: readonly Violation[];
}

const nothingSaid: Said = { outcome: "OUTSIDE", violations: [] };

/** A world as somebody looks at it: what it was asked is checked when it is looked at, each exchange once. */
export class InspectedWorld {
  readonly traffic: InspectedTraffic;
  readonly #spec: Spec;
  readonly #strictness: Strictness;
  #numbers = new WeakMap<Exchange, number>();
  #said = new Map<number, Said>();
  #verdict: Verdict;
  #checker: Checker;
  #checkedUpTo = 0;
  /** When what was checked last took effect. */
  #lastTurn = 0;
  #epoch: number;

  /** `spec` is what the stub speaks by, with the operations outside the spec. */
  constructor(traffic: InspectedTraffic, spec: Spec, strictness: Strictness) {
    this.traffic = traffic;
    this.#spec = spec;
    this.#strictness = strictness;
    this.#verdict = new Verdict(spec);
    this.#checker = this.#newChecker();
    this.#epoch = traffic.journal.epoch;
  }

  /** The exchanges after this one, at most so many. */
  after(number: number, max: number): readonly JournalRecord<PointInTime | undefined>[] {
    return this.traffic.journal.after(number, max);
  }

  /** Undefined where there never was such an exchange, or it is gone. */
  record(number: number): JournalRecord<PointInTime | undefined> | undefined {
    return this.traffic.journal.at(number);
  }

  said(number: number): Said {
    this.#checkNew();
    return this.#said.get(number) ?? nothingSaid;
  }

  summary(): VerdictSummary {
    this.#checkNew();
    return this.#verdict.summary();
  }

  #checkNew(): void {
    const { journal } = this.traffic;
    if (journal.epoch !== this.#epoch) this.#startOver();
    const fresh = this.#inconclusive();
    if (fresh.length === 0) return;
    // What nobody looked at before it was dropped may have changed what the rules took for certain.
    if (journal.dropped > this.#checkedUpTo) this.#checker = this.#newChecker();
    for (const number of this.#said.keys()) {
      if (number > journal.dropped) break;
      this.#said.delete(number);
    }
    for (const { number, entry } of fresh) {
      this.#numbers.set(entry, number);
      const verdict = this.#checker.add(entry);
      const violations = verdict.type === "outside" ? [] : verdict.results.flatMap((result) => result.violations);
      const outcome = verdict.type === "outside" ? "OUTSIDE" : outcomeOf(verdict);
      this.#said.set(number, worse(this.#said.get(number), { outcome, violations }));
      if (this.#isOneByOne) this.#checker.settle();
    }
    this.#checkedUpTo = journal.last;
    this.#lastTurn = turnOf(fresh.at(-1)?.pointInTime);
  }

  /**
   * What is to be checked, in the order in which it took effect. A response that was held back comes behind others that are
   * checked already: then all are checked anew, or, where the journal has not all of them any more, nothing is taken for certain.
   */
  #inconclusive(): readonly JournalRecord<PointInTime | undefined>[] {
    const { journal } = this.traffic;
    const fresh = inTurn(journal.after(this.#checkedUpTo, Number.MAX_SAFE_INTEGER));
    if (fresh.length === 0 || turnOf(fresh[0]?.pointInTime) >= this.#lastTurn) return fresh;
    if (journal.dropped > 0) {
      this.#checker = this.#newChecker();
      return fresh;
    }
    this.#startOver();
    return inTurn(journal.after(0, Number.MAX_SAFE_INTEGER));
  }

  #startOver(): void {
    this.#epoch = this.traffic.journal.epoch;
    this.#checkedUpTo = 0;
    this.#lastTurn = 0;
    this.#numbers = new WeakMap();
    this.#said = new Map();
    this.#verdict = new Verdict(this.#spec);
    this.#checker = this.#newChecker();
  }

  /** A world answers one after the other; what passes a recorder may overlap. */
  get #isOneByOne(): boolean {
    return this.traffic.world !== undefined;
  }

  /** Nobody but who is in the journal asks a world; a target that is recorded may have other clients. */
  #newChecker(): Checker {
    return new Checker(
      {
        spec: this.#spec,
        ...this.#strictness,
        order: this.#isOneByOne ? "one-by-one" : "by-time",
        isAlone: this.#isOneByOne,
        isOneWorld: this.#isOneByOne,
        onResult: (exchange, result) => this.#note(exchange, result),
      },
      this.#verdict,
    );
  }

  #note(exchange: Exchange, { outcome, violations }: RuleResult): void {
    const number = this.#numbers.get(exchange);
    if (number === undefined || violations.length === 0) return;
    this.#said.set(number, worse(this.#said.get(number), { outcome, violations }));
  }
}

/** Records in the order in which they took effect; a journal has them in that in which they were answered. */
export function inTurn<Kept extends PointInTime | undefined>(
  records: readonly JournalRecord<Kept>[],
): readonly JournalRecord<Kept>[] {
  return records.toSorted(
    (left, right) => turnOf(left.pointInTime) - turnOf(right.pointInTime) || left.number - right.number,
  );
}

/** A world counts its requests as they take effect; of what has no world behind it nothing is known. */
function turnOf(pointInTime: PointInTime | undefined): number {
  return pointInTime?.after.counter ?? 0;
}

const rank: Readonly<Record<Said["outcome"], number>> = { OUTSIDE: 0, PASS: 1, KNOWN: 2, WARN: 3, FAIL: 4 };

function worse(before: Said | undefined, said: Said): Said {
  if (before === undefined) return said;
  const outcome = rank[said.outcome] > rank[before.outcome] ? said.outcome : before.outcome;
  return { outcome, violations: [...before.violations, ...said.violations] };
}
