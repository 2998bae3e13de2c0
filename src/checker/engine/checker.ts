import type { Exchange } from "../../foundation/http/exchange.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { CreatedEvents } from "../rules/created-events.ts";
import { rules } from "../rules/index.ts";
import { readExchange, routeOf } from "../rules/read-exchange.ts";
import type { CheckedExchange, ExchangeContext, Finding, TraceRule } from "../rules/rule.ts";
import { type CheckResult, ExchangeChecker } from "./exchange-checker.ts";
import { bytesOf, ExchangeQueue, type Order } from "./exchange-queue.ts";
import { applyExchangeRules, type Criteria, createCriteria, resultOf, unsupported, worstOf } from "./exchange-rules.ts";
import type { ExchangeVerdict, Level, Outcome, RuleVerdict } from "./exchange-verdict.ts";
import { faultResult } from "./rule-fault.ts";
import { Trace, type TraceResult } from "./trace.ts";
import type { Verdict } from "./verdict.ts";

export interface CheckerOptions {
  /** The spec with the additional operations. Their responses are context for rules even where they are not checked. */
  readonly spec: Spec;
  readonly level: Level;
  readonly areAdditionalOperationsChecked: boolean;
  readonly order: Order;
  /** Whether no other client used the target during the trace. */
  readonly isExclusive: boolean;
  /** Whether all exchanges belong to one world. Default: the world that each exchange names. */
  readonly isOneWorld?: boolean;
  /** The probe that sent the requests. */
  readonly probe?: string;
  /** Receives each result of a trace rule, with the exchange that it is about. */
  readonly onResult?: (exchange: Exchange, result: RuleVerdict) => void;
}

/** The worst outcome of an exchange so far; trace rules update it later. */
interface RunningOutcome {
  outcome: Outcome;
}

const traceRules = rules.filter((rule) => rule.type === "trace");

/** Checks exchanges by the exchange rules, and their sequence by the trace rules. All results go into one verdict. */
export class Checker {
  readonly #options: CheckerOptions;
  readonly #criteria: Criteria;
  readonly #verdict: Verdict;
  readonly #trace: Trace<RunningOutcome | undefined>;
  readonly #queue: ExchangeQueue;
  readonly #exchangeChecker: ExchangeChecker;

  constructor(options: CheckerOptions, verdict: Verdict) {
    this.#options = options;
    this.#trace = new Trace(traceRules, options.isOneWorld === true ? ({ operation }) => operation.api : undefined);
    this.#queue = new ExchangeQueue(options.order);
    this.#criteria = createCriteria(options);
    this.#exchangeChecker = new ExchangeChecker(options, this.#criteria);
    this.#verdict = verdict;
  }

  /** Returns the verdict of the exchange rules. Results of trace rules may follow later; they go into the overall verdict. */
  add(exchange: Exchange, context: ExchangeContext = {}): ExchangeVerdict {
    const span = this.#queue.spanOf(exchange);
    const result = this.#exchangeChecker.check(exchange, context, span);
    const running = this.#count(result);
    this.#queue.take(span, bytesOf(exchange), () => this.#trackExchange(result, running));
    return result.verdict;
  }

  /** Adds an exchange without returning its verdict. While it waits in the queue, only its texts are kept in memory. */
  addRecorded(exchange: Exchange): void {
    const span = this.#queue.spanOf(exchange);
    this.#queue.take(span, bytesOf(exchange), () => {
      const result = this.#exchangeChecker.checkRecorded(exchange, span);
      this.#trackExchange(result, this.#count(result));
    });
  }

  /** Ends all open exchanges in the trace. Use it only with order `one-by-one`, where no request is in flight. */
  settle(): void {
    this.#record(this.#trace.end());
  }

  /** Ends the trace and records its remaining results. Exchanges added later start a new trace. */
  end(): void {
    this.#queue.end();
    this.#record(this.#trace.end());
    this.#verdict.addTraceCoverage(this.#trace.coverage());
  }

  #count({ verdict }: CheckResult): RunningOutcome | undefined {
    const outcome = this.#verdict.add(verdict);
    return outcome === undefined ? undefined : { outcome };
  }

  #trackExchange({ checked }: CheckResult, running: RunningOutcome | undefined): void {
    if (checked !== undefined) this.#record(this.#trace.add(checked, running));
  }

  #record(results: readonly TraceResult<RunningOutcome | undefined>[]): void {
    for (const { rule, checked, result, tag } of results) {
      if (tag === undefined) continue;
      if (result.type === "inconclusive") this.#verdict.addInconclusive(rule.id, result.reason);
      else {
        const verdict =
          result.type === "failed"
            ? faultResult(rule, checked, result.error)
            : this.#traceRuleResult(rule, checked, result.findings);
        this.#verdict.addResult(checked, verdict, tag.outcome);
        this.#options.onResult?.(checked.exchange, verdict);
        tag.outcome = worstOf([tag.outcome, verdict.outcome]);
      }
    }
  }

  #traceRuleResult(rule: TraceRule, checked: CheckedExchange, findings: readonly Finding[]): RuleVerdict {
    const isCertain = this.#options.isExclusive || !rule.assumesExclusiveUse;
    return resultOf(rule, isCertain ? rule.severity : "warning", checked, this.#criteria, findings);
  }
}

/** Checks one exchange by the exchange rules alone. */
export function checkExchange(
  spec: Spec,
  level: Level,
  exchange: Exchange,
  context: ExchangeContext = {},
): ExchangeVerdict {
  const route = routeOf(spec, exchange);
  if (route === undefined) return unsupported(exchange);
  const surroundings = { context, span: undefined, createdEvents: new CreatedEvents() };
  return applyExchangeRules(readExchange(spec, route, exchange, surroundings), createCriteria({ spec, level }));
}
