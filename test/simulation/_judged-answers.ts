import { Judge, type RuleResult } from "../../src/checker/engine/checker.ts";
import { Verdict } from "../../src/checker/engine/verdict.ts";
import type { Known } from "../../src/checker/rules/rule.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import type { Answer } from "../../src/foundation/http/handler.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import type { Spec } from "../../src/foundation/spec/spec.ts";
import type { Broken } from "./_broken.ts";

/** A request that took effect; its answer may be held back. */
export interface Taken {
  readonly request: Request;
  readonly known: Known;
  /** Whether a plan decided what is answered, and whether the operation took effect for all that. */
  readonly planned: "no" | "instead" | "after";
  /** Whether the document says nothing of such requests: their paths, methods or media types are made up. */
  readonly isOutlandish: boolean;
  /** Whether somebody changed the request on its way. */
  readonly isMangled: boolean;
  answer: Answer | undefined;
}

/** A release's codec takes more than its description allows, and the divergences name only the commonest cases (facts, ledger-api 3.5). */
const lenientRule = "invalid-request-refused";

const startedAt = "2026-01-01T00:00:00.000Z";

/**
 * Judges what one world answers, by every rule, in the order in which the requests took effect. What a plan answers breaks
 * rules on purpose: then it is not held against the world, but what follows is.
 */
export class JudgedAnswers {
  readonly #spec: Spec;
  readonly #verdict: Verdict;
  readonly #excused = new WeakSet<Exchange>();
  readonly #lenient = new WeakSet<Exchange>();
  #waiting: Taken[] = [];
  #judge: Judge;
  #broken: Broken[] = [];

  constructor(spec: Spec) {
    this.#spec = spec;
    this.#verdict = new Verdict(spec);
    this.#judge = this.#newJudge();
  }

  add(taken: Taken): void {
    this.#waiting.push(taken);
  }

  /** Says that something happened which the exchanges do not show. */
  cut(): void {
    this.#waiting = [];
    this.#judge = this.#newJudge();
  }

  /** What is broken by the answers that have come. */
  take(): readonly Broken[] {
    while (this.#waiting[0]?.answer !== undefined) {
      const taken = this.#waiting.shift();
      if (taken?.answer !== undefined) this.#judgeOne(taken, taken.answer);
    }
    const broken = this.#broken;
    this.#broken = [];
    return broken;
  }

  #judgeOne({ request, known, planned, isOutlandish, isMangled }: Taken, answer: Answer): void {
    const isLie = answer.type === "response" && answer.status < 500;
    if (planned === "instead" && isLie) return;
    const shown: Answer = planned === "after" && isLie ? { type: "broken", kind: "timed-out" } : answer;
    const exchange: Exchange = { startedAt, durationMs: 0, request, answer: shown };
    if (planned !== "no" || isOutlandish) this.#excused.add(exchange);
    if (isMangled && this.#spec.profile.ledger !== "document") this.#lenient.add(exchange);
    const verdict = this.#judge.add(exchange, known);
    if (verdict.type === "judged") for (const result of verdict.results) this.#note(exchange, result);
    this.#judge.settle();
  }

  #note(exchange: Exchange, { rule, outcome, violations, isFault }: RuleResult): void {
    if (outcome !== "FAIL" || (this.#excused.has(exchange) && isFault !== true)) return;
    if (rule === lenientRule && this.#lenient.has(exchange)) return;
    for (const { operationId, status, pointer, expected, actual } of violations)
      this.#broken.push({
        invariant: `rule ${rule}`,
        what: `${operationId} ${status}: ${pointer === "" ? "" : `${pointer}: `}expected ${expected}, got ${actual}`,
      });
  }

  #newJudge(): Judge {
    const spec = this.#spec;
    const level = spec.profile.ledger === "document" ? "document" : "release";
    const onResult = (exchange: Exchange, result: RuleResult) => this.#note(exchange, result);
    const order = "one-by-one" as const;
    const settings = {
      spec,
      level,
      areNeighboursJudged: false,
      order,
      isAlone: true,
      isOneWorld: true,
      onResult,
    } as const;
    return new Judge(settings, this.#verdict);
  }
}
