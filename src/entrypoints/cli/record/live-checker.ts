import { Judge, type JudgeSettings } from "../../../checker/engine/checker.ts";
import type { ConductJudge } from "../../../checker/engine/client-checker.ts";
import type { Verdict } from "../../../checker/engine/verdict.ts";
import type { Exchange } from "../../../foundation/http/exchange.ts";

/** Exchanges that may wait for the judge, and bytes of their bodies. */
const waitingMax = 10_000;
const waitingBytesMax = 64 * 1024 * 1024;
const judgedAtOnceBytesMax = 16 * 1024;

/**
 * Judges exchanges while others pass: one at a turn, so that no answer waits for more than one judgement. Where traffic is
 * faster than the judge for long, exchanges go unjudged, are counted, and what comes after them is a trace of its own.
 */
export class LiveJudge {
  readonly #settings: JudgeSettings;
  readonly #verdict: Verdict;
  readonly #conduct: ConductJudge | undefined;
  #judge: Judge;
  readonly #waiting: Exchange[] = [];
  #waitingBytes = 0;
  #turn: NodeJS.Immediate | undefined;
  #isCut = false;
  #unjudged = 0;

  /** `conduct` judges the client of the same exchanges. */
  constructor(settings: JudgeSettings, verdict: Verdict, conduct?: ConductJudge) {
    this.#settings = settings;
    this.#verdict = verdict;
    this.#conduct = conduct;
    this.#judge = new Judge(settings, verdict);
  }

  /** Exchanges that failed so far; those that wait for their turn are not among them. */
  get failed(): number {
    return this.#verdict.failed;
  }

  get unjudged(): number {
    return this.#unjudged;
  }

  add(exchange: Exchange): void {
    const bytes = bytesOf(exchange);
    if (this.#waiting.length >= waitingMax || this.#waitingBytes + bytes > waitingBytesMax) {
      this.#unjudged += 1;
      this.#isCut = true;
      return;
    }
    this.#waiting.push(exchange);
    this.#waitingBytes += bytes;
    this.#turn ??= setImmediate(() => this.#next());
  }

  /** Judges what is left; nothing may come after it. */
  end(): void {
    clearImmediate(this.#turn);
    for (const exchange of this.#waiting) this.#take(exchange);
    this.#judge.end();
    this.#conduct?.end();
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
      this.#judge.end();
      this.#judge = new Judge(this.#settings, this.#verdict);
      this.#verdict.addCut();
      this.#conduct?.cut();
      this.#isCut = false;
    }
    // Judged at once, an exchange waits with its JSON for those that began before it; a large one is judged when that is over.
    if (bytesOf(exchange) > judgedAtOnceBytesMax) this.#judge.addRecorded(exchange);
    else this.#judge.add(exchange);
    this.#conduct?.add(exchange);
  }
}

function bytesOf({ request, answer }: Exchange): number {
  return request.body.length + (answer.type === "response" ? answer.body.length : (answer.partial?.body.length ?? 0));
}
