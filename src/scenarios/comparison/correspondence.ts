interface Match {
  readonly oracle: bigint;
  readonly target: bigint;
}

/** Generated values of oracle and target, matched one for one over a sequence of responses. */
export class Correspondence {
  readonly #byOracle = new Map<string, string>();
  readonly #byTarget = new Map<string, string>();
  readonly #offsets: Match[] = [];
  readonly #times: Match[] = [];

  /** Matches two values. Returns whether no earlier match contradicts it. */
  bind(oracle: string, target: string): boolean {
    const [ofOracle, ofTarget] = [this.#byOracle.get(oracle), this.#byTarget.get(target)];
    if ((ofOracle ?? target) !== target || (ofTarget ?? oracle) !== oracle) return false;
    this.#add(oracle, target);
    return true;
  }

  /** Matches a value with itself: requests to both sides contain it. */
  bindItself(value: string): void {
    if (!this.#byOracle.has(value) && !this.#byTarget.has(value)) this.#add(value, value);
  }

  isBound(value: string): boolean {
    return this.#byOracle.has(value);
  }

  #add(oracle: string, target: string): void {
    this.#byOracle.set(oracle, target);
    this.#byTarget.set(target, oracle);
  }

  /** Matches two offsets: each side has its own numbers, in the same order. */
  bindOffset(oracle: bigint, target: bigint): boolean {
    const isSameOrder = this.#offsets.every(
      (earlier) => order(oracle, earlier.oracle) === order(target, earlier.target),
    );
    if (isSameOrder) this.#offsets.push({ oracle, target });
    return isSameOrder;
  }

  /** Matches two times: each side has its own clock, and neither runs backwards. */
  bindTime(oracle: bigint, target: bigint): boolean {
    const isForward = this.#times.every(
      (earlier) => order(oracle, earlier.oracle) * order(target, earlier.target) >= 0,
    );
    if (isForward) this.#times.push({ oracle, target });
    return isForward;
  }
}

function order(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
