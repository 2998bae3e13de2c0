import type { ClientFinding, CountedClientFinding } from "../../checker/client-rules/client-finding.ts";
import { Checker } from "../../checker/engine/checker.ts";
import { ClientChecker } from "../../checker/engine/client-checker.ts";
import { CountedFindings, type FoundFinding } from "../../checker/engine/counted-findings.ts";
import type { Outcome, ExchangeVerdict as PartialVerdict, Violation } from "../../checker/engine/exchange-verdict.ts";
import { outcomeOf } from "../../checker/engine/exchange-verdict.ts";
import { Verdict, type VerdictSummary } from "../../checker/engine/verdict.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import type { StatesAround } from "../hosting/hosted-world.ts";
import type { JournalRecord } from "../journal/journal.ts";
import type { InspectedTraffic, Strictness } from "./source.ts";

/** The rule results of an exchange so far; `PLANNED` if the plan decided its response, `UNSUPPORTED` if it matches no operation. */
interface ExchangeVerdict {
  readonly outcome: Outcome | "PLANNED" | "UNSUPPORTED";
  readonly violations: readonly Violation[];
}

/** What was found about an exchange so far. */
export interface ExchangeResults {
  readonly verdict: ExchangeVerdict;
  /** The client rules that its request breaks. */
  readonly clientFindings: readonly ClientFinding[];
}

interface InspectedWorldOptions {
  /** The spec of the stub with the additional operations. */
  readonly spec: Spec;
  readonly strictness: Strictness;
  readonly areClientRulesOff: boolean;
}

const noVerdict: ExchangeVerdict = { outcome: "UNSUPPORTED", violations: [] };
const plannedVerdict: ExchangeVerdict = { outcome: "PLANNED", violations: [] };

/** Checks the responses and the client of a world for the inspector. Each exchange is checked once, when results are first requested. */
export class InspectedWorld {
  readonly traffic: InspectedTraffic;
  readonly #spec: Spec;
  readonly #strictness: Strictness;
  readonly #areClientRulesOff: boolean;
  #numbers = new WeakMap<Exchange, number>();
  #verdicts = new Map<number, ExchangeVerdict>();
  #total: Verdict;
  #checker: Checker;
  #clientFindings = new Map<number, readonly ClientFinding[]>();
  #clientTotal = new CountedFindings();
  /** Undefined if client rules are off. */
  #clientChecker: ClientChecker | undefined;
  #checkedUpTo = 0;
  #planned = 0;
  /** Whether a planned response may hide a change from the checker. */
  #isChangeHidden = false;
  /** The turn of the last checked exchange. */
  #lastTurn = 0;
  #epoch: number;

  constructor(traffic: InspectedTraffic, { spec, strictness, areClientRulesOff }: InspectedWorldOptions) {
    this.traffic = traffic;
    this.#spec = spec;
    this.#strictness = strictness;
    this.#areClientRulesOff = areClientRulesOff;
    this.#total = new Verdict(this.#spec);
    this.#checker = this.#newChecker();
    this.#clientChecker = this.#newClientChecker();
    this.#epoch = traffic.journal.epoch;
  }

  /** Kept exchanges with a number above `number`, at most `max`. */
  after(number: number, max: number): readonly JournalRecord<StatesAround | undefined>[] {
    return this.traffic.journal.after(number, max);
  }

  /** The exchange with this number; undefined if it was dropped or never existed. */
  record(number: number): JournalRecord<StatesAround | undefined> | undefined {
    return this.traffic.journal.at(number);
  }

  resultsOf(number: number): ExchangeResults {
    this.#checkNew();
    return {
      verdict: this.#verdicts.get(number) ?? noVerdict,
      clientFindings: this.#clientFindings.get(number) ?? [],
    };
  }

  /** One client finding of each kind. */
  clientFindings(): readonly CountedClientFinding[] {
    this.#checkNew();
    return this.#clientTotal.list();
  }

  summary(): VerdictSummary {
    this.#checkNew();
    return this.#total.summary();
  }

  /** The number of exchanges with a planned response. */
  planned(): number {
    this.#checkNew();
    return this.#planned;
  }

  #checkNew(): void {
    const { journal } = this.traffic;
    if (journal.epoch !== this.#epoch) this.#startOver();
    const fresh = this.#unchecked();
    if (fresh.length === 0) return;
    for (const results of [this.#verdicts, this.#clientFindings])
      for (const number of results.keys()) {
        if (number >= journal.first) break;
        results.delete(number);
      }
    for (const record of fresh) {
      // Exchanges that were dropped unchecked may have changed the state that the rules know.
      if (this.#isAfterGap(record)) this.#forgetTrace();
      this.#check(record);
    }
    // Exchanges of a recorder would wait for those that began earlier.
    this.#clientChecker?.end();
    this.#checkedUpTo = journal.last;
    this.#lastTurn = turnOf(fresh.at(-1)?.context);
  }

  /** Whether the exchange before this one is neither kept nor checked. */
  #isAfterGap({ number }: JournalRecord<unknown>): boolean {
    return number - 1 > this.#checkedUpTo && this.record(number - 1) === undefined;
  }

  /** Checks an exchange. A planned response is not checked; after one that hides a change, a new checker starts without knowledge. */
  #check({ number, entry, context }: JournalRecord<StatesAround | undefined>): void {
    this.#numbers.set(entry, number);
    this.#clientChecker?.add(entry);
    if (entry.response.isPlanned === true) {
      this.#planned += 1;
      this.#isChangeHidden ||= isChange(context);
      this.#verdicts.set(number, plannedVerdict);
      return;
    }
    if (this.#isChangeHidden) this.#checker = this.#newChecker();
    this.#isChangeHidden = false;
    this.#checker.add(entry);
  }

  /**
   * The exchanges to check, in the order of their turns. A delayed response may belong before exchanges that are already
   * checked. Then all exchanges are checked again; if the journal dropped some, a new checker starts without knowledge.
   */
  #unchecked(): readonly JournalRecord<StatesAround | undefined>[] {
    const { journal } = this.traffic;
    const fresh = inTurn(journal.after(this.#checkedUpTo, Number.MAX_SAFE_INTEGER));
    if (fresh.length === 0 || turnOf(fresh[0]?.context) >= this.#lastTurn) return fresh;
    if (journal.dropped > 0) {
      this.#forgetTrace();
      return fresh;
    }
    this.#startOver();
    return inTurn(journal.after(0, Number.MAX_SAFE_INTEGER));
  }

  #startOver(): void {
    this.#epoch = this.traffic.journal.epoch;
    this.#checkedUpTo = 0;
    this.#lastTurn = 0;
    this.#planned = 0;
    this.#isChangeHidden = false;
    this.#numbers = new WeakMap();
    this.#verdicts = new Map();
    this.#clientFindings = new Map();
    this.#clientTotal = new CountedFindings();
    this.#total = new Verdict(this.#spec);
    this.#forgetTrace();
  }

  /** Starts checkers that know no earlier exchange. */
  #forgetTrace(): void {
    this.#checker = this.#newChecker();
    this.#clientChecker = this.#newClientChecker();
  }

  /** A world processes requests one by one; recorded exchanges may overlap. */
  get #isOneByOne(): boolean {
    return this.traffic.world !== undefined;
  }

  /** The journal of a world holds all its requests; a recorded target may have other clients. */
  #newChecker(): Checker {
    return new Checker(
      {
        spec: this.#spec,
        ...this.#strictness,
        order: this.#isOneByOne ? "one-by-one" : "by-time",
        isExclusive: this.#isOneByOne,
        isOneWorld: this.#isOneByOne,
        checkedAtOnceBytesMax: Number.POSITIVE_INFINITY,
        onVerdict: (exchange, verdict) => this.#note(exchange, verdict),
      },
      this.#total,
    );
  }

  #newClientChecker(): ClientChecker | undefined {
    const { journal, isWhole = false } = this.traffic;
    if (this.#areClientRulesOff) return undefined;
    return new ClientChecker({
      spec: this.#spec,
      order: this.#isOneByOne ? "one-by-one" : "by-time",
      isWhole: isWhole && journal.dropped === 0,
      isOneWorld: this.#isOneByOne,
      onFinding: (found, exchange) => this.#noteFinding(found, exchange),
    });
  }

  #noteFinding({ kind, shown }: FoundFinding, exchange: Exchange): void {
    const number = this.#numbers.get(exchange);
    if (number === undefined) return;
    this.#clientTotal.add({ kind, shown: { ...shown, exchange: number - 1 } });
    if (number >= this.traffic.journal.first)
      this.#clientFindings.set(number, [...(this.#clientFindings.get(number) ?? []), shown]);
  }

  #note(exchange: Exchange, verdict: PartialVerdict): void {
    const number = this.#numbers.get(exchange);
    if (number === undefined || number < this.traffic.journal.first) return;
    const violations = verdict.type === "unsupported" ? [] : verdict.results.flatMap((result) => result.violations);
    const outcome = verdict.type === "unsupported" ? "UNSUPPORTED" : outcomeOf(verdict);
    this.#verdicts.set(number, worse(this.#verdicts.get(number), { outcome, violations }));
  }
}

/** Sorts records by turn. A journal holds them in the order of their responses. */
export function inTurn<Kept extends StatesAround | undefined>(
  records: readonly JournalRecord<Kept>[],
): readonly JournalRecord<Kept>[] {
  return records.toSorted((left, right) => turnOf(left.context) - turnOf(right.context) || left.number - right.number);
}

/** The turn of an exchange: the request counter of its world. 0 for recorded traffic, which has no world. */
function turnOf(context: StatesAround | undefined): number {
  return context?.after.counter ?? 0;
}

const rank: Readonly<Record<ExchangeVerdict["outcome"], number>> = {
  PLANNED: 0,
  UNSUPPORTED: 0,
  PASS: 1,
  KNOWN: 2,
  WARN: 3,
  FAIL: 4,
};

function worse(before: ExchangeVerdict | undefined, added: ExchangeVerdict): ExchangeVerdict {
  if (before === undefined) return added;
  const outcome = rank[added.outcome] > rank[before.outcome] ? added.outcome : before.outcome;
  return { outcome, violations: [...before.violations, ...added.violations] };
}

/** Whether a request changed the ledger or the registry, as far as its states are known. */
function isChange(states: StatesAround | undefined): boolean {
  if (states === undefined) return true;
  const { before, after } = states;
  return before.ledger !== after.ledger || before.registry !== after.registry;
}
