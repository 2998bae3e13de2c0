/** Limits of the pipelined requests that are served in one turn of the event loop, over all connections. */
const exchangesPerTurn = 64;
const turnMsMax = 10;

/** What schedules and measures turns. */
interface TurnClock {
  /** Runs a function in the next turn. */
  readonly later: (run: () => void) => void;
  readonly nowMs: () => number;
}

/**
 * Shares the event loop among connections. A client that sends many requests without waiting for responses would otherwise
 * delay all others until its last request is served. A turn ends with the first step that exceeds its number or its time.
 */
export class Turns {
  readonly #clock: TurnClock;
  readonly #waiting: (() => void)[] = [];
  #left = exchangesPerTurn;
  #isScheduled = false;
  #startedMs = 0;

  constructor(clock: TurnClock) {
    this.#clock = clock;
  }

  /** Runs a step in this turn, or after the steps that wait already. */
  run(step: () => void): void {
    if (!this.#isScheduled) this.#start();
    if (this.#waiting.length > 0 || !this.#hasTime) this.#waiting.push(step);
    else this.#take(step);
  }

  get #hasTime(): boolean {
    return this.#left > 0 && this.#clock.nowMs() - this.#startedMs < turnMsMax;
  }

  /** Starts to count, until the next turn. */
  #start(): void {
    this.#isScheduled = true;
    this.#left = exchangesPerTurn;
    this.#startedMs = this.#clock.nowMs();
    this.#clock.later(() => this.#begin());
  }

  #begin(): void {
    this.#isScheduled = false;
    if (this.#waiting.length === 0) return;
    this.#start();
    do this.#take(this.#waiting.shift());
    while (this.#waiting.length > 0 && this.#hasTime);
  }

  #take(step: (() => void) | undefined): void {
    this.#left -= 1;
    step?.();
  }
}
