import { Checker } from "../../src/checker/engine/checker.ts";
import type { ExchangeVerdict, RuleVerdict } from "../../src/checker/engine/exchange-verdict.ts";
import { Verdict } from "../../src/checker/engine/verdict.ts";
import type { ExchangeContext } from "../../src/checker/rules/rule.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import type { HandlerResponse } from "../../src/foundation/http/handler.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import type { Spec } from "../../src/foundation/spec/spec.ts";
import type { FailedResponse } from "./_broken.ts";

/** A request that took effect; its response may be delayed. */
export interface Taken {
  readonly request: Request;
  readonly known: ExchangeContext;
  /** Whether a plan decided the response, and whether the operation took effect nevertheless. */
  readonly planned: "no" | "instead" | "after";
  /** Whether the request is outside the spec: its path, method or media type is generated. */
  readonly isOutlandish: boolean;
  /** Whether the request was changed after it was drawn. */
  readonly isMangled: boolean;
  /** The virtual time of the request. */
  readonly nowMs: number;
  response: HandlerResponse | undefined;
}

/** A release's codec takes more than its description allows, and the divergences name only the commonest cases (Canton 3.5, CirceRelaxedCodec.scala). */
const lenientRule = "invalid-request-refused";

/**
 * Checks the responses of one world by every rule, in the order in which the requests took effect. A planned response breaks
 * rules on purpose: its findings do not count, those of later responses do.
 */
export class CheckedResponses {
  readonly #spec: Spec;
  readonly #verdict: Verdict;
  readonly #excused = new WeakSet<Exchange>();
  readonly #lenient = new WeakSet<Exchange>();
  #waiting: Taken[] = [];
  #checker: Checker;
  #broken: FailedResponse[] = [];

  constructor(spec: Spec) {
    this.#spec = spec;
    this.#verdict = new Verdict(spec);
    this.#checker = this.#newChecker();
  }

  add(taken: Taken): void {
    this.#waiting.push(taken);
  }

  /** Notes a change that the exchanges do not show. */
  cut(): void {
    this.#waiting = [];
    this.#checker = this.#newChecker();
  }

  /** The invariants that the received responses break. */
  take(): readonly FailedResponse[] {
    while (this.#waiting[0]?.response !== undefined) {
      const taken = this.#waiting.shift();
      if (taken?.response !== undefined) this.#checkOne(taken, taken.response);
    }
    const broken = this.#broken;
    this.#broken = [];
    return broken;
  }

  #checkOne({ request, known, planned, isOutlandish, isMangled, nowMs }: Taken, response: HandlerResponse): void {
    const isLie = response.type === "response" && response.status < 500;
    if (planned === "instead" && isLie) return;
    const shown: HandlerResponse = planned === "after" && isLie ? { type: "broken", kind: "timed-out" } : response;
    const startedAt = new Date(nowMs).toISOString();
    const exchange: Exchange = { startedAt, durationMs: 0, request, response: shown };
    if (planned !== "no" || isOutlandish) this.#excused.add(exchange);
    if (isMangled && this.#spec.profile.ledger !== "spec") this.#lenient.add(exchange);
    this.#checker.add(exchange, known);
  }

  #note(exchange: Exchange, { rule, outcome, violations, isFault }: RuleVerdict): void {
    if (outcome !== "FAIL" || (this.#excused.has(exchange) && isFault !== true)) return;
    if (rule === lenientRule && this.#lenient.has(exchange)) return;
    for (const { operationId, status, pointer, expected, actual } of violations)
      this.#broken.push({
        invariant: `rule ${rule}`,
        what: `${operationId} ${status}: ${pointer === "" ? "" : `${pointer}: `}expected ${expected}, got ${actual}`,
      });
  }

  #newChecker(): Checker {
    const spec = this.#spec;
    const level = spec.profile.ledger === "spec" ? "spec" : "release";
    const onVerdict = (exchange: Exchange, verdict: ExchangeVerdict) => {
      if (verdict.type === "checked") for (const result of verdict.results) this.#note(exchange, result);
    };
    const order = "one-by-one" as const;
    const options = {
      spec,
      level,
      areAdditionalOperationsChecked: false,
      order,
      isExclusive: true,
      isOneWorld: true,
      onVerdict,
    } as const;
    return new Checker(options, this.#verdict);
  }
}
