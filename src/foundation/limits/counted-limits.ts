import { type LimitName, type LimitValues, limitList, limitValues, shownLimit } from "./limits.ts";

/** A limit with its value, its current use, and the number of requests or connections refused, dropped or ended because of it. */
export interface LimitReport {
  readonly name: LimitName;
  readonly unit: string;
  readonly value: number;
  /** Null if the limit has no current use. */
  readonly inUse: number | null;
  readonly exceeded: number;
}

/** The state of the limits of a stub. */
export interface LimitsReport {
  readonly limits: readonly LimitReport[];
  /** Messages that were not valid HTTP requests. */
  readonly malformed: number;
}

/** The limits of one stub, and how often each was exceeded. */
export class CountedLimits {
  readonly values: LimitValues;
  readonly #exceeded = new Map<LimitName, number>();
  readonly #inUse = new Map<LimitName, () => number>();
  #malformed = 0;

  constructor(given: Partial<LimitValues> = {}) {
    this.values = limitValues(given);
  }

  /** Counts a refusal, drop or end because of a limit. */
  exceed(name: LimitName): void {
    this.#exceeded.set(name, (this.#exceeded.get(name) ?? 0) + 1);
  }

  noteMalformed(): void {
    this.#malformed += 1;
  }

  /** Sets the function that gives the current use of a limit; the last one set applies. */
  watch(name: LimitName, inUse: () => number): void {
    this.#inUse.set(name, inUse);
  }

  /** The value with the name that changes it, for messages. */
  shown(name: LimitName): string {
    return `${shownLimit(name, this.values[name])} (--limit ${name})`;
  }

  report(): LimitsReport {
    const reports = limitList.map(({ name, unit }) => ({
      name,
      unit,
      value: this.values[name],
      inUse: this.#inUse.get(name)?.() ?? null,
      exceeded: this.#exceeded.get(name) ?? 0,
    }));
    return { limits: reports, malformed: this.#malformed };
  }
}
