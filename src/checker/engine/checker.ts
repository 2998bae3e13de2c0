import type { Exchange } from "../../foundation/http/exchange.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { CreatedEvents } from "../rules/created-events.ts";
import { rules } from "../rules/index.ts";
import { readExchange, routeOf } from "../rules/read-exchange.ts";
import type { CheckedExchange, ExchangeContext, Finding, TokenKind, TraceRule } from "../rules/rule.ts";
import { type Examined, Examiner } from "./check-exchange.ts";
import { bytesOf, ExchangeQueue, type Order } from "./exchange-queue.ts";
import { createMeasure, exchangeVerdict, type Measure, outside, resultOf, worstOf } from "./exchange-verdict.ts";
import { faultResult } from "./rule-fault.ts";
import { Trace, type TraceLook } from "./trace.ts";
import type { Verdict } from "./verdict.ts";

/** `spec` is the letter: known divergences fail. `release` shows them and lets them pass. */
export type Level = "spec" | "release";

export type Outcome = "PASS" | "WARN" | "KNOWN" | "FAIL";

/** A broken rule with the exchange that broke it. */
export interface Violation extends Finding {
  readonly rule: string;
  readonly section: string;
  readonly operationId: string;
  readonly status: number;
  readonly outcome: Outcome;
  readonly divergence: string | undefined;
  readonly exchange: Exchange;
  /** What the token of the request was worth, where that is known. */
  readonly token?: TokenKind | undefined;
  /** The probe that provoked it. */
  readonly probe?: string | undefined;
}

export interface RuleResult {
  readonly rule: string;
  readonly outcome: Outcome;
  readonly violations: readonly Violation[];
  /** Whether the rule itself failed: the violation says how. */
  readonly isFault?: true;
}

/** `status` is 0 where no response came whole. */
export type ExchangeVerdict =
  | {
      readonly type: "checked";
      readonly operationId: string;
      readonly status: number;
      readonly results: readonly RuleResult[];
    }
  | { readonly type: "outside"; readonly method: string; readonly path: string };

export interface CheckerOptions {
  /** The contract, with the additional operations: what they show is context, even where they are not checked. */
  readonly spec: Spec;
  readonly level: Level;
  /** Whether the operations outside the spec are checked too. */
  readonly areAdditionalOperationsChecked: boolean;
  readonly order: Order;
  /** Whether nobody outside the trace used the target meanwhile. */
  readonly isAlone: boolean;
  /** Whether all exchanges are of one world, however they name it; otherwise those that name different ones are told apart. */
  readonly isOneWorld?: boolean;
  /** The probe that the exchanges are of. */
  readonly probe?: string;
  /** Told what a trace rule says of an exchange that was added before. */
  readonly onResult?: (exchange: Exchange, result: RuleResult) => void;
}

/** The worst that was said of an exchange so far. */
interface Standing {
  outcome: Outcome;
}

const traceRules = rules.filter((rule) => rule.type === "trace");

/** Checks exchanges, each for itself and all in their order of time, into a verdict. It does not know who answered. */
export class Checker {
  readonly #options: CheckerOptions;
  readonly #measure: Measure;
  readonly #verdict: Verdict;
  readonly #trace: Trace<Standing | undefined>;
  readonly #turns: ExchangeQueue;
  readonly #examiner: Examiner;

  constructor(options: CheckerOptions, verdict: Verdict) {
    this.#options = options;
    this.#trace = new Trace(traceRules, options.isOneWorld === true ? ({ operation }) => operation.api : undefined);
    this.#turns = new ExchangeQueue(options.order);
    this.#measure = createMeasure(options);
    this.#examiner = new Examiner(options, this.#measure);
    this.#verdict = verdict;
  }

  /** The verdict on the exchange alone; what the trace rules say may come later, and goes into the verdict of all. */
  add(exchange: Exchange, known: ExchangeContext = {}): ExchangeVerdict {
    const span = this.#turns.spanOf(exchange);
    const examined = this.#examiner.examine(exchange, known, span);
    const standing = this.#count(examined);
    this.#turns.take(span, bytesOf(exchange), () => this.#follow(examined, standing));
    return examined.verdict;
  }

  /** Takes an exchange whose verdict nobody waits for: of many that wait for their turn, only the texts are kept. */
  addRecorded(exchange: Exchange): void {
    const span = this.#turns.spanOf(exchange);
    this.#turns.take(span, bytesOf(exchange), () => {
      const examined = this.#examiner.examineRecorded(exchange, span);
      this.#follow(examined, this.#count(examined));
    });
  }

  /** Says what can be said of what is over. Only where exchanges come one by one, since then nothing is under way. */
  settle(): void {
    this.#take(this.#trace.end());
  }

  /** Says what is left to say. Exchanges that come later are another trace. */
  end(): void {
    this.#turns.end();
    this.#take(this.#trace.end());
    this.#verdict.addTraceCoverage(this.#trace.coverage());
  }

  #count({ verdict }: Examined): Standing | undefined {
    const outcome = this.#verdict.add(verdict);
    return outcome === undefined ? undefined : { outcome };
  }

  #follow({ checked }: Examined, standing: Standing | undefined): void {
    if (checked !== undefined) this.#take(this.#trace.add(checked, standing));
  }

  #take(looks: readonly TraceLook<Standing | undefined>[]): void {
    for (const { rule, checked, look, tag } of looks) {
      if (tag === undefined) continue;
      if (look.type === "inconclusive") this.#verdict.addSilence(rule.id, look.reason);
      else {
        const result =
          look.type === "failed"
            ? faultResult(rule, checked, look.error)
            : this.#traceResult(rule, checked, look.findings);
        this.#verdict.addResult(checked, result, tag.outcome);
        this.#options.onResult?.(checked.exchange, result);
        tag.outcome = worstOf([tag.outcome, result.outcome]);
      }
    }
  }

  #traceResult(rule: TraceRule, checked: CheckedExchange, findings: readonly Finding[]): RuleResult {
    const isCertain = this.#options.isAlone || !rule.assumesExclusiveUse;
    return resultOf(rule, isCertain ? rule.severity : "warning", checked, this.#measure, findings);
  }
}

/** The verdict on one exchange by the rules that need no other. */
export function checkExchanges(
  spec: Spec,
  level: Level,
  exchange: Exchange,
  known: ExchangeContext = {},
): ExchangeVerdict {
  const route = routeOf(spec, exchange);
  if (route === undefined) return outside(exchange);
  const surroundings = { context: known, span: undefined, createdEvents: new CreatedEvents() };
  return exchangeVerdict(readExchange(spec, route, exchange, surroundings), createMeasure({ spec, level }));
}
