/** The location of a value in a sequence of responses: index of the step, and JSON pointer into its response. */
export interface ValueLocation {
  readonly step: number;
  readonly pointer: string;
}

/** Two values that do not match, because one of them is matched already. */
export interface Clash {
  readonly earlier: ValueLocation;
  /** The relation of the oracle's value to its earlier one. */
  readonly relation: "same" | "other" | "after" | "before";
}

interface Match<Value> {
  readonly oracle: Value;
  readonly target: Value;
  readonly place: ValueLocation;
}

/** Generated values of oracle and target, matched one for one over a sequence of responses. */
export class Correspondence {
  readonly #byOracle = new Map<string, Match<string>>();
  readonly #byTarget = new Map<string, Match<string>>();
  readonly #offsets: Match<bigint>[] = [];
  readonly #times: Match<bigint>[] = [];

  /** Matches two values. Returns a clash with an earlier match. */
  bind(oracle: string, target: string, place: ValueLocation): Clash | undefined {
    const [ofOracle, ofTarget] = [this.#byOracle.get(oracle), this.#byTarget.get(target)];
    if (ofOracle !== undefined && ofOracle.target !== target) return { earlier: ofOracle.place, relation: "same" };
    if (ofTarget !== undefined && ofTarget.oracle !== oracle) return { earlier: ofTarget.place, relation: "other" };
    if (ofOracle === undefined) this.#add({ oracle, target, place });
    return undefined;
  }

  /** Matches a value with itself: requests to both sides contain it. */
  bindItself(value: string): void {
    if (this.#byOracle.has(value) || this.#byTarget.has(value)) return;
    this.#add({ oracle: value, target: value, place: { step: -1, pointer: "" } });
  }

  isBound(value: string): boolean {
    return this.#byOracle.has(value);
  }

  #add(match: Match<string>): void {
    this.#byOracle.set(match.oracle, match);
    this.#byTarget.set(match.target, match);
  }

  /** Matches two offsets: each side has its own numbers, in the same order. */
  bindOffset(oracle: bigint, target: bigint, place: ValueLocation): Clash | undefined {
    const clashing = this.#offsets.find((earlier) => order(oracle, earlier.oracle) !== order(target, earlier.target));
    if (clashing !== undefined)
      return { earlier: clashing.place, relation: relations[order(oracle, clashing.oracle) + 1] ?? "same" };
    this.#offsets.push({ oracle, target, place });
    return undefined;
  }

  /** Matches two times: each side has its own clock, and neither runs backwards. */
  bindTime(oracle: bigint, target: bigint, place: ValueLocation): Clash | undefined {
    const clashing = this.#times.find((earlier) => order(oracle, earlier.oracle) * order(target, earlier.target) < 0);
    if (clashing !== undefined)
      return { earlier: clashing.place, relation: relations[order(oracle, clashing.oracle) + 1] ?? "same" };
    this.#times.push({ oracle, target, place });
    return undefined;
  }
}

const relations = ["before", "same", "after"] as const;

function order(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
