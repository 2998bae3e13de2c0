import { type LimitName, type LimitValues, limitList, limits, limitValues, shownLimit } from "./limits.ts";

/** A bound with its value, how much of it is used, and how often something was refused, dropped or ended for it. */
export interface LimitReport {
  readonly name: LimitName;
  readonly flag: string;
  readonly unit: string;
  readonly value: number;
  /** Null where nothing lasts that could be counted. */
  readonly inUse: number | null;
  readonly exceeded: number;
}

/** What happened at the bounds of a stub. */
export interface LimitsReport {
  readonly limits: readonly LimitReport[];
  /** Messages that were no HTTP, or no request that can be answered. */
  readonly malformed: number;
}

/** The bounds of one stub, and what happened beyond them. */
export class CountedLimits {
  readonly values: LimitValues;
  readonly #exceeded = new Map<LimitName, number>();
  readonly #inUse = new Map<LimitName, () => number>();
  #malformed = 0;

  constructor(given: Partial<LimitValues> = {}) {
    this.values = limitValues(given);
  }

  /** Notes that something was refused, dropped or ended because of a bound. */
  exceed(name: LimitName): void {
    this.#exceeded.set(name, (this.#exceeded.get(name) ?? 0) + 1);
  }

  noteMalformed(): void {
    this.#malformed += 1;
  }

  /** Says how to learn how much of a bound is in use; who says it last is asked. */
  watch(name: LimitName, inUse: () => number): void {
    this.#inUse.set(name, inUse);
  }

  /** A value with the flag that changes it, for whoever came upon it. */
  shown(name: LimitName): string {
    return `${shownLimit(name, this.values[name])} (--${limits[name].flag})`;
  }

  report(): LimitsReport {
    const reports = limitList.map(({ name, flag, unit }) => ({
      name,
      flag,
      unit,
      value: this.values[name],
      inUse: this.#inUse.get(name)?.() ?? null,
      exceeded: this.#exceeded.get(name) ?? 0,
    }));
    return { limits: reports, malformed: this.#malformed };
  }
}
