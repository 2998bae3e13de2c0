import type { Exchange } from "../../foundation/http/exchange.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { CreatedEvents } from "../rules/created-events.ts";
import { readExchange, routeOf } from "../rules/read-exchange.ts";
import type { CheckedExchange, ExchangeContext, Span } from "../rules/rule.ts";
import { unlistedChange } from "../rules/unlisted-change.ts";
import { EqualExchanges } from "./equal-exchanges.ts";
import { applyExchangeRules, type Criteria, unsupported } from "./exchange-rules.ts";
import type { ExchangeVerdict } from "./exchange-verdict.ts";

/** An exchange with its verdict by the exchange rules. */
export interface CheckResult {
  /** The exchange as trace rules read it. Undefined where no rule reads it. */
  readonly checked: CheckedExchange | undefined;
  readonly verdict: ExchangeVerdict;
}

/** The operations that are checked. */
export interface CheckScope {
  readonly spec: Spec;
  readonly areAdditionalOperationsChecked: boolean;
}

/** Checks exchanges by the exchange rules, independent of their order. */
export class ExchangeChecker {
  readonly #scope: CheckScope;
  readonly #criteria: Criteria;
  readonly #createdEvents = new CreatedEvents();
  readonly #equal = new EqualExchanges<CheckResult>();

  constructor(scope: CheckScope, criteria: Criteria) {
    this.#scope = scope;
    this.#criteria = criteria;
  }

  check(exchange: Exchange, context: ExchangeContext, span: Span | undefined): CheckResult {
    const { spec, areAdditionalOperationsChecked } = this.#scope;
    const route = routeOf(spec, exchange);
    const surroundings = { context, span, createdEvents: this.#createdEvents };
    const followed = route ?? unlistedChange(exchange);
    const checked = followed === undefined ? undefined : readExchange(spec, followed, exchange, surroundings);
    const isWanted = route !== undefined && (!route.operation.isAdditional || areAdditionalOperationsChecked);
    const verdict =
      checked !== undefined && isWanted ? applyExchangeRules(checked, this.#criteria) : unsupported(exchange);
    return { checked, verdict };
  }

  /** Reuses the result of an equal exchange: the verdict lists only the first violation of a kind and counts the others. */
  checkRecorded(exchange: Exchange, span: Span | undefined): CheckResult {
    return this.#equal.outcomeOf(
      exchange,
      () => this.check(exchange, {}, span),
      ({ checked, verdict }) => ({
        checked: checked === undefined ? undefined : { ...checked, exchange, span },
        verdict,
      }),
    );
  }
}
