import type { Exchange } from "../../foundation/http/exchange.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { CreatedEvents } from "../rules/created-events.ts";
import { readExchange, routeOf } from "../rules/read-exchange.ts";
import type { JudgedExchange, Known, Span } from "../rules/rule.ts";
import { unlistedChange } from "../rules/unlisted-change.ts";
import type { ExchangeVerdict } from "./checker.ts";
import { EqualExchanges } from "./equal-exchanges.ts";
import { type Measure, outside, verdictOn } from "./exchange-verdict.ts";

/** An exchange that was judged for itself; one that is not to be judged is only what others are judged by. */
export interface Examined {
  /** Undefined where no rule looks at it. */
  readonly judged: JudgedExchange | undefined;
  readonly verdict: ExchangeVerdict;
}

/** What is examined. */
export interface Examination {
  readonly spec: Spec;
  readonly areNeighboursJudged: boolean;
}

/** Judges exchanges, each for itself, whatever their order. */
export class Examiner {
  readonly #examination: Examination;
  readonly #measure: Measure;
  readonly #createdEvents = new CreatedEvents();
  readonly #equal = new EqualExchanges<Examined>();

  constructor(examination: Examination, measure: Measure) {
    this.#examination = examination;
    this.#measure = measure;
  }

  examine(exchange: Exchange, known: Known, span: Span | undefined): Examined {
    const { spec, areNeighboursJudged } = this.#examination;
    const route = routeOf(spec, exchange);
    const surroundings = { known, span, createdEvents: this.#createdEvents };
    const followed = route ?? unlistedChange(exchange);
    const judged = followed === undefined ? undefined : readExchange(spec, followed, exchange, surroundings);
    const isWanted = route !== undefined && (!route.operation.isNeighbour || areNeighboursJudged);
    const verdict = judged !== undefined && isWanted ? verdictOn(judged, this.#measure) : outside(exchange);
    return { judged, verdict };
  }

  /** The verdict shows the first of equal exchanges, so that the others need only be counted. */
  examineRecorded(exchange: Exchange, span: Span | undefined): Examined {
    return this.#equal.outcomeOf(
      exchange,
      () => this.examine(exchange, {}, span),
      ({ judged, verdict }) => ({
        judged: judged === undefined ? undefined : { ...judged, exchange, span },
        verdict,
      }),
    );
  }
}
