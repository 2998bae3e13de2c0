/** Requests that are printed in one second; further ones are counted. */
export const linesPerSecondMax = 100;

/** Bounds the lines that are printed in one second; further ones are counted. */
export class LineBudget {
  readonly #max: number;
  readonly #nowMs: () => number;
  readonly #onOmitted: (count: number) => void;
  #second = { startMs: 0, lines: 0, omitted: 0 };

  /** `nowMs` is a clock that is never set. `onOmitted` receives the number of lines that were not printed in a second, before the first line of a later one. */
  constructor(max: number, nowMs: () => number, onOmitted: (count: number) => void) {
    this.#max = max;
    this.#nowMs = nowMs;
    this.#onOmitted = onOmitted;
  }

  /** Counts a line; whether it is printed. */
  take(): boolean {
    const nowMs = this.#nowMs();
    if (nowMs - this.#second.startMs >= 1000) {
      const { omitted } = this.#second;
      if (omitted > 0) this.#onOmitted(omitted);
      this.#second = { startMs: nowMs, lines: 0, omitted: 0 };
    }
    const isPrinted = this.#second.lines < this.#max;
    if (isPrinted) this.#second.lines += 1;
    else this.#second.omitted += 1;
    return isPrinted;
  }
}
