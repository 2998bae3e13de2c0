import { Checker, type CheckerOptions } from "../../../checker/engine/checker.ts";
import type { ClientChecker } from "../../../checker/engine/client-checker.ts";
import { bodyBytesOf } from "../../../checker/engine/exchange-queue.ts";
import type { Verdict } from "../../../checker/engine/verdict.ts";
import type { Exchange } from "../../../foundation/http/exchange.ts";

/** Limits for waiting exchanges and for the bytes of their bodies. */
const waitingMax = 10_000;
const waitingBytesMax = 64 * 1024 * 1024;
/** Larger exchanges wait as texts for those that began before them. */
const checkedAtOnceBytesMax = 16 * 1024;

/**
 * Checks exchanges during the recording, one per turn of the event loop, so that a response waits for at most one check.
 * If the queue is full, exchanges are not checked but counted, and a new trace begins after them.
 */
export class LiveChecker {
  readonly #options: CheckerOptions;
  readonly #verdict: Verdict;
  readonly #clientRules: ClientChecker | undefined;
  #checker: Checker;
  readonly #waiting: Exchange[] = [];
  #waitingBytes = 0;
  #turn: NodeJS.Immediate | undefined;
  #isCut = false;
  #inconclusive = 0;

  /** `clientRules` checks the client in the same exchanges. */
  constructor(options: CheckerOptions, verdict: Verdict, clientRules?: ClientChecker) {
    this.#options = { ...options, checkedAtOnceBytesMax };
    this.#verdict = verdict;
    this.#clientRules = clientRules;
    this.#checker = new Checker(this.#options, verdict);
  }

  /** Failed exchanges so far, without the waiting ones. */
  get failed(): number {
    return this.#verdict.failed;
  }

  /** Exchanges that were not checked because the queue was full. */
  get inconclusive(): number {
    return this.#inconclusive;
  }

  add(exchange: Exchange): void {
    const bytes = bodyBytesOf(exchange);
    if (this.#waiting.length >= waitingMax || this.#waitingBytes + bytes > waitingBytesMax) {
      this.#inconclusive += 1;
      this.#isCut = true;
      return;
    }
    this.#waiting.push(exchange);
    this.#waitingBytes += bytes;
    this.#turn ??= setImmediate(() => this.#next());
  }

  /** Checks the waiting exchanges. No exchange can be added afterwards. */
  end(): void {
    clearImmediate(this.#turn);
    for (const exchange of this.#waiting) this.#check(exchange);
    this.#checker.end();
    this.#clientRules?.end();
  }

  #next(): void {
    const exchange = this.#waiting.shift();
    if (exchange !== undefined) {
      this.#waitingBytes -= bodyBytesOf(exchange);
      this.#check(exchange);
    }
    this.#turn = this.#waiting.length > 0 ? setImmediate(() => this.#next()) : undefined;
  }

  #check(exchange: Exchange): void {
    if (this.#isCut) {
      this.#checker.end();
      this.#checker = new Checker(this.#options, this.#verdict);
      this.#verdict.addCut();
      this.#clientRules?.cut();
      this.#isCut = false;
    }
    this.#checker.add(exchange);
    this.#clientRules?.add(exchange);
  }
}
