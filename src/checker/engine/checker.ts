import type { Exchange } from "../../foundation/http/exchange.ts";
import { routeOf } from "../../foundation/spec/route-of.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { rules } from "../rules/index.ts";
import { createExchangeReader, noContext, type ReadExchange } from "../rules/read-exchange.ts";
import type { CheckedExchange, ExchangeContext, Finding, Span, TraceRule } from "../rules/rule.ts";
import { unlistedChange } from "../rules/unlisted-change.ts";
import { EqualExchanges } from "./equal-exchanges.ts";
import { bodyBytesOf, ExchangeQueue, type Order } from "./exchange-queue.ts";
import {
  applyExchangeRules,
  type Criteria,
  createCriteria,
  resultOf,
  unsupported,
  verdictOf,
} from "./exchange-rules.ts";
import type { ExchangeVerdict, Level, Outcome, RuleVerdict } from "./exchange-verdict.ts";
import { faultResult } from "./rule-fault.ts";
import { Trace, type TraceResult } from "./trace.ts";
import { Verdict } from "./verdict.ts";

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
  /**
   * Exchange rules check exchanges with bodies up to this size when they are added, and others after those that began
   * earlier. An exchange that waits checked keeps its JSON in memory. Default: 0.
   */
  readonly checkedAtOnceBytesMax?: number;
  /** Receives the verdict of the exchange rules on each exchange, and a verdict for each later result of a trace rule. */
  readonly onVerdict?: (exchange: Exchange, verdict: ExchangeVerdict) => void;
}

/** An exchange after the exchange rules. */
interface CheckResult {
  /** The exchange as trace rules read it. Undefined where no rule reads it. */
  readonly checked: CheckedExchange | undefined;
  readonly verdict: ExchangeVerdict;
}

/** An exchange as it was added, with its worst outcome so far; trace rules update it later. */
interface RunningOutcome {
  readonly exchange: Exchange;
  outcome: Outcome;
}

const traceRules = rules.filter((rule) => rule.type === "trace");

/** Checks exchanges by the exchange rules, and their sequence by the trace rules. All results go into one verdict. */
export class Checker {
  readonly #options: CheckerOptions;
  readonly #criteria: Criteria;
  readonly #verdict: Verdict;
  readonly #read: ReadExchange;
  readonly #equal = new EqualExchanges<CheckResult>();
  readonly #trace: Trace<RunningOutcome | undefined>;
  readonly #queue: ExchangeQueue;

  constructor(options: CheckerOptions, verdict: Verdict) {
    this.#options = options;
    this.#criteria = createCriteria(options);
    this.#verdict = verdict;
    this.#read = createExchangeReader(options.spec);
    this.#trace = new Trace(traceRules, options.isOneWorld === true ? ({ operation }) => operation.api : undefined);
    this.#queue = new ExchangeQueue(options.order);
  }

  add(exchange: Exchange, context: ExchangeContext = noContext): void {
    const span = this.#queue.spanOf(exchange);
    const isAtOnce = bodyBytesOf(exchange) <= (this.#options.checkedAtOnceBytesMax ?? 0);
    const early = isAtOnce ? this.#check(exchange, context, span) : undefined;
    this.#queue.take(exchange, span, () => {
      const { checked, running } = early ?? this.#check(exchange, context, span);
      if (checked === undefined) return;
      this.#record(this.#trace.add(checked, running));
      // With this order, the client waited for each response: no exchange is open.
      if (this.#options.order === "one-by-one") this.#record(this.#trace.end());
    });
  }

  /**
   * Adds an exchange that another check counts: trace rules remember what it shows. Only the results on exchanges before it,
   * and the coverage of the trace, are recorded.
   */
  learn(exchange: Exchange): void {
    const span = this.#queue.spanOf(exchange);
    if (span === undefined) return;
    this.#queue.take(exchange, span, () => {
      const { checked } = this.#readExchange(exchange, noContext, span);
      if (checked !== undefined) this.#record(this.#trace.add(checked, undefined));
    });
  }

  /** Ends the trace and records its remaining results. No exchange is added afterwards. */
  end(): void {
    this.#queue.end();
    this.#record(this.#trace.end());
    this.#verdict.addTraceCoverage(this.#trace.coverage());
  }

  #check(
    exchange: Exchange,
    context: ExchangeContext,
    span: Span | undefined,
  ): { readonly checked: CheckedExchange | undefined; readonly running: RunningOutcome | undefined } {
    const applied = () => this.#applyRules(exchange, context, span);
    const { checked, verdict } =
      context === noContext
        ? this.#equal.outcomeOf(exchange, applied, (before) => withExchange(before, exchange, span))
        : applied();
    const outcome = this.#verdict.add(verdict);
    this.#options.onVerdict?.(exchange, verdict);
    return { checked, running: outcome === undefined ? undefined : { exchange, outcome } };
  }

  #applyRules(exchange: Exchange, context: ExchangeContext, span: Span | undefined): CheckResult {
    const { checked, isWanted } = this.#readExchange(exchange, context, span);
    if (checked === undefined || !(isWanted || context.readsBack === true))
      return { checked, verdict: unsupported(exchange) };
    const verdict = isWanted ? applyExchangeRules(checked, this.#criteria) : verdictOf(checked, []);
    return { checked, verdict };
  }

  /** `checked` is undefined where no rule reads the exchange; `isWanted` is false where only trace rules remember it. */
  #readExchange(
    exchange: Exchange,
    context: ExchangeContext,
    span: Span | undefined,
  ): { readonly checked: CheckedExchange | undefined; readonly isWanted: boolean } {
    const { spec, areAdditionalOperationsChecked } = this.#options;
    const listed = routeOf(spec, exchange.request);
    const route = listed ?? unlistedChange(exchange);
    const checked = route === undefined ? undefined : this.#read(exchange, route, { context, span });
    const isWanted = listed !== undefined && (!listed.operation.isAdditional || areAdditionalOperationsChecked);
    return { checked, isWanted };
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
        tag.outcome = this.#verdict.addResult(checked, verdict, tag.outcome);
        this.#options.onVerdict?.(tag.exchange, verdictOf(checked, [verdict]));
      }
    }
  }

  #traceRuleResult(rule: TraceRule, checked: CheckedExchange, findings: readonly Finding[]): RuleVerdict {
    const isCertain = this.#options.isExclusive || !rule.assumesExclusiveUse;
    const weighed = isCertain ? findings : findings.map((finding) => weighedAmongOthers(finding, checked));
    return resultOf(rule, checked, this.#criteria, weighed);
  }
}

/** Other clients could explain a finding, unless it is certain or about what this check created itself. */
function weighedAmongOthers(finding: Finding, { context }: CheckedExchange): Finding {
  const isOwn = context.ownPrefix !== undefined && finding.user?.startsWith(context.ownPrefix) === true;
  return finding.isCertain === true || isOwn ? finding : { ...finding, basis: "advice" };
}

/** The result of an equal exchange for this one. */
function withExchange({ checked, verdict }: CheckResult, exchange: Exchange, span: Span | undefined): CheckResult {
  return {
    checked: checked === undefined ? undefined : { ...checked, exchange, span },
    verdict: { ...verdict, exchange },
  };
}

/** An exchange of a trace, with what its sender knows beside it. Without an exchange, the step sent no request. */
interface TraceStep {
  readonly exchange: Exchange | undefined;
  readonly context?: ExchangeContext;
}

/**
 * Checks exchanges as one trace. Default: the operations of the spec at level `release`, requested one by one, without
 * other clients.
 */
export function checkTrace(
  steps: Iterable<TraceStep>,
  options: Pick<CheckerOptions, "spec"> & Partial<CheckerOptions>,
  verdict: Verdict = new Verdict(options.spec),
): Verdict {
  const defaults = {
    level: "release",
    areAdditionalOperationsChecked: false,
    order: "one-by-one",
    isExclusive: true,
  } as const;
  const checker = new Checker({ ...defaults, ...options }, verdict);
  for (const { exchange, context } of steps) if (exchange !== undefined) checker.add(exchange, context);
  checker.end();
  return verdict;
}

/** Checks one exchange by the exchange rules alone. */
export function checkExchange(
  spec: Spec,
  level: Level,
  exchange: Exchange,
  context: ExchangeContext = noContext,
): ExchangeVerdict {
  const route = routeOf(spec, exchange.request);
  if (route === undefined) return unsupported(exchange);
  const checked = createExchangeReader(spec)(exchange, route, { context });
  return applyExchangeRules(checked, createCriteria({ spec, level }));
}
