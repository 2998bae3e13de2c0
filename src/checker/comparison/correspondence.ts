/** Where in a walk a value stands: the step's place, and the JSON pointer into its response. */
export interface Place {
  readonly step: number;
  readonly pointer: string;
}

/** Two values that cannot belong together, since one of them belongs to another already. */
export interface Clash {
  readonly earlier: Place;
  /** How the oracle's value stands to its earlier one: the same, another, after or before it. */
  readonly relation: "same" | "other" | "after" | "before";
}

interface Bound<Value> {
  readonly oracle: Value;
  readonly target: Value;
  readonly place: Place;
}

/** Which value of the target stands for which of the oracle, as far as a walk has shown it: one for one. */
export class Correspondence {
  readonly #charactersMax: number;
  #characters = 0;
  readonly #byOracle = new Map<string, Bound<string>>();
  readonly #byTarget = new Map<string, Bound<string>>();
  readonly #offsets: Bound<bigint>[] = [];
  readonly #times: Bound<bigint>[] = [];

  /** Holds names of so many characters together; then the oldest are forgotten. */
  constructor(charactersMax: number = Number.POSITIVE_INFINITY) {
    this.#charactersMax = charactersMax;
  }

  /** Takes two values for the same thing; tells a clash with what was bound before. */
  bind(oracle: string, target: string, place: Place): Clash | undefined {
    const [known, taken] = [this.#byOracle.get(oracle), this.#byTarget.get(target)];
    if (known !== undefined && known.target !== target) return { earlier: known.place, relation: "same" };
    if (taken !== undefined && taken.oracle !== oracle) return { earlier: taken.place, relation: "other" };
    if (known === undefined) this.#keep({ oracle, target, place });
    return undefined;
  }

  /** Whether two values may stand for each other: they do already, or neither stands for another. */
  canBind(oracle: string, target: string): boolean {
    const [known, taken] = [this.#byOracle.get(oracle), this.#byTarget.get(target)];
    return known === undefined ? taken === undefined : known.target === target;
  }

  /** What both sides were told counts for itself from then on. */
  bindItself(value: string): void {
    if (this.#byOracle.has(value) || this.#byTarget.has(value)) return;
    this.#keep({ oracle: value, target: value, place: { step: -1, pointer: "" } });
  }

  isBound(value: string): boolean {
    return this.#byOracle.has(value);
  }

  /** What stands for this value of the oracle. */
  targetOf(oracle: string): string | undefined {
    return this.#byOracle.get(oracle)?.target;
  }

  /** What this value of the target stands for. */
  oracleOf(target: string): string | undefined {
    return this.#byTarget.get(target)?.oracle;
  }

  #keep(bound: Bound<string>): void {
    this.#byOracle.set(bound.oracle, bound);
    this.#byTarget.set(bound.target, bound);
    this.#characters += bound.oracle.length + bound.target.length;
    if (this.#characters > this.#charactersMax) this.#forgetOldest();
  }

  #forgetOldest(): void {
    for (const { oracle, target } of this.#byOracle.values()) {
      this.#byOracle.delete(oracle);
      this.#byTarget.delete(target);
      this.#characters -= oracle.length + target.length;
      if (this.#characters <= this.#charactersMax) return;
    }
  }

  /** Offsets are numbered by each side in its own way, in the same order. */
  bindOffset(oracle: bigint, target: bigint, place: Place): Clash | undefined {
    const clashing = this.#offsets.find((earlier) => order(oracle, earlier.oracle) !== order(target, earlier.target));
    if (clashing !== undefined)
      return { earlier: clashing.place, relation: relations[order(oracle, clashing.oracle) + 1] ?? "same" };
    this.#offsets.push({ oracle, target, place });
    return undefined;
  }

  /** Each side has its own clock, and neither runs backwards. */
  bindTime(oracle: bigint, target: bigint, place: Place): Clash | undefined {
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
