import type { Exchange } from "../../foundation/http/exchange.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { CreatedEvents } from "../rules/created-events.ts";
import { readExchange, routeOf } from "../rules/read-exchange.ts";
import type { CheckedExchange, ExchangeContext, Span } from "../rules/rule.ts";
import { unlistedChange } from "../rules/unlisted-change.ts";
import type { ExchangeVerdict } from "./checker.ts";
import { EqualExchanges } from "./equal-exchanges.ts";
import { exchangeVerdict, type Measure, outside } from "./exchange-verdict.ts";

/** An exchange that was checked for itself; one that is not to be checked is only what others are checked by. */
export interface Examined {
  /** Undefined where no rule looks at it. */
  readonly checked: CheckedExchange | undefined;
  readonly verdict: ExchangeVerdict;
}

/** What is examined. */
export interface Examination {
  readonly spec: Spec;
  readonly areAdditionalOperationsChecked: boolean;
}

/** Checks exchanges, each for itself, whatever their order. */
export class Examiner {
  readonly #examination: Examination;
  readonly #measure: Measure;
  readonly #createdEvents = new CreatedEvents();
  readonly #equal = new EqualExchanges<Examined>();

  constructor(examination: Examination, measure: Measure) {
    this.#examination = examination;
    this.#measure = measure;
  }

  examine(exchange: Exchange, known: ExchangeContext, span: Span | undefined): Examined {
    const { spec, areAdditionalOperationsChecked } = this.#examination;
    const route = routeOf(spec, exchange);
    const surroundings = { context: known, span, createdEvents: this.#createdEvents };
    const followed = route ?? unlistedChange(exchange);
    const checked = followed === undefined ? undefined : readExchange(spec, followed, exchange, surroundings);
    const isWanted = route !== undefined && (!route.operation.isAdditional || areAdditionalOperationsChecked);
    const verdict = checked !== undefined && isWanted ? exchangeVerdict(checked, this.#measure) : outside(exchange);
    return { checked, verdict };
  }

  /** The verdict shows the first of equal exchanges, so that the others need only be counted. */
  examineRecorded(exchange: Exchange, span: Span | undefined): Examined {
    return this.#equal.outcomeOf(
      exchange,
      () => this.examine(exchange, {}, span),
      ({ checked, verdict }) => ({
        checked: checked === undefined ? undefined : { ...checked, exchange, span },
        verdict,
      }),
    );
  }
}
