import { Checker, type CheckerOptions } from "../../../checker/engine/checker.ts";
import type { ClientChecker } from "../../../checker/engine/client-checker.ts";
import type { Verdict } from "../../../checker/engine/verdict.ts";
import type { Exchange } from "../../../foundation/http/exchange.ts";

/** Exchanges that may wait for the checker, and bytes of their bodies. */
const waitingMax = 10_000;
const waitingBytesMax = 64 * 1024 * 1024;
const checkedAtOnceBytesMax = 16 * 1024;

/**
 * Checks exchanges while others pass: one at a turn, so that no response waits for more than one judgement. Where traffic is
 * faster than the checker for long, exchanges go unchecked, are counted, and what comes after them is a trace of its own.
 */
export class LiveChecker {
  readonly #settings: CheckerOptions;
  readonly #verdict: Verdict;
  readonly #clientRules: ClientChecker | undefined;
  #checker: Checker;
  readonly #waiting: Exchange[] = [];
  #waitingBytes = 0;
  #turn: NodeJS.Immediate | undefined;
  #isCut = false;
  #inconclusive = 0;

  /** `conduct` checks the client of the same exchanges. */
  constructor(settings: CheckerOptions, verdict: Verdict, clientRules?: ClientChecker) {
    this.#settings = settings;
    this.#verdict = verdict;
    this.#clientRules = clientRules;
    this.#checker = new Checker(settings, verdict);
  }

  /** Exchanges that failed so far; those that wait for their turn are not among them. */
  get failed(): number {
    return this.#verdict.failed;
  }

  get inconclusive(): number {
    return this.#inconclusive;
  }

  add(exchange: Exchange): void {
    const bytes = bytesOf(exchange);
    if (this.#waiting.length >= waitingMax || this.#waitingBytes + bytes > waitingBytesMax) {
      this.#inconclusive += 1;
      this.#isCut = true;
      return;
    }
    this.#waiting.push(exchange);
    this.#waitingBytes += bytes;
    this.#turn ??= setImmediate(() => this.#next());
  }

  /** Checks what is left; nothing may come after it. */
  end(): void {
    clearImmediate(this.#turn);
    for (const exchange of this.#waiting) this.#take(exchange);
    this.#checker.end();
    this.#clientRules?.end();
  }

  #next(): void {
    const exchange = this.#waiting.shift();
    if (exchange !== undefined) {
      this.#waitingBytes -= bytesOf(exchange);
      this.#take(exchange);
    }
    this.#turn = this.#waiting.length > 0 ? setImmediate(() => this.#next()) : undefined;
  }

  #take(exchange: Exchange): void {
    if (this.#isCut) {
      this.#checker.end();
      this.#checker = new Checker(this.#settings, this.#verdict);
      this.#verdict.addCut();
      this.#clientRules?.cut();
      this.#isCut = false;
    }
    // Checked at once, an exchange waits with its JSON for those that began before it; a large one is checked when that is over.
    if (bytesOf(exchange) > checkedAtOnceBytesMax) this.#checker.addRecorded(exchange);
    else this.#checker.add(exchange);
    this.#clientRules?.add(exchange);
  }
}

function bytesOf({ request, response }: Exchange): number {
  const received = response.type === "response" ? response : response.partial;
  return request.body.storedLength + (received?.body.storedLength ?? 0);
}
