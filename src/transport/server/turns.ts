/** Pipelined requests that are served in one turn of the event loop, over all connections. */
const exchangesPerTurn = 64;

/**
 * Shares the event loop among connections. A client that sends many requests without waiting for responses would otherwise
 * delay all others until its last request is served.
 */
export class Turns {
  readonly #later: (run: () => void) => void;
  readonly #waiting: (() => void)[] = [];
  #left = exchangesPerTurn;
  #isScheduled = false;

  /** `later` runs a function in the next turn. */
  constructor(later: (run: () => void) => void) {
    this.#later = later;
  }

  /** Runs a step in this turn, or after the steps that wait already. */
  run(step: () => void): void {
    if (this.#left > 0 && this.#waiting.length === 0) {
      this.#left -= 1;
      this.#schedule();
      step();
    } else {
      this.#waiting.push(step);
      this.#schedule();
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#later(() => this.#begin());
  }

  #begin(): void {
    this.#isScheduled = false;
    const steps = this.#waiting.splice(0, exchangesPerTurn);
    if (steps.length > 0) this.#schedule();
    // What these steps add waits for the next turn.
    this.#left = 0;
    for (const step of steps) step();
    this.#left = exchangesPerTurn - steps.length;
  }
}
