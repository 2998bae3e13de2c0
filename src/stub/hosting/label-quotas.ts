/** Limits of the worlds with a label. A limit that is undefined does not apply. */
export interface LabelQuota {
  /** Number of worlds. */
  readonly worlds?: number;
  /** Size of each world: characters in the store, else bytes of its journals. */
  readonly bytes?: number;
  /** Requests a second, to all worlds of this process. */
  readonly rate?: number;
}

export type QuotaName = keyof LabelQuota;

/** The name of the quota of all labels that have none of their own. */
export const otherLabels = "*";

/** Labels whose requests and refusals are counted. The count of the oldest begins again when there are more. */
const countedLabelsMax = 10_000;

/** A limit of a label, and the number of requests and forks that were refused because of it. */
interface QuotaReport {
  readonly label: string;
  readonly name: QuotaName;
  readonly value: number;
  readonly exceeded: number;
}

/** The quotas of a stub, and what counts against them. */
export class LabelQuotas {
  readonly #quotas: ReadonlyMap<string, LabelQuota>;
  readonly #nowMs: () => number;
  readonly #counted = new Map<string, CountedLabel>();
  #last: Promise<unknown> = Promise.resolve();

  /** `nowMs` is a clock that is never set back. */
  constructor(quotas: ReadonlyMap<string, LabelQuota>, nowMs: () => number) {
    this.#quotas = quotas;
    this.#nowMs = nowMs;
  }

  /** The labels that have a quota. */
  counted(labels: readonly string[]): readonly CountedLabel[] {
    return labels.flatMap((label) => this.#countedLabel(label) ?? []);
  }

  #countedLabel(label: string): CountedLabel | undefined {
    const known = this.#counted.get(label);
    const quota = this.#quotas.get(label) ?? this.#quotas.get(otherLabels);
    if (known !== undefined || quota === undefined) return known;
    const counted = new CountedLabel(label, quota, this.#nowMs);
    for (const oldest of this.#counted.keys())
      if (this.#counted.size >= countedLabelsMax) this.#counted.delete(oldest);
      else break;
    this.#counted.set(label, counted);
    return counted;
  }

  /** Runs one function after the other: a fork is stored before the next one counts the worlds. */
  inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(run);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** The quotas of the labels that have been used, and of those that are named. */
  report(): readonly QuotaReport[] {
    this.counted([...this.#quotas.keys()].filter((label) => label !== otherLabels));
    return [...this.#counted.values()].flatMap((label) => label.report());
  }
}

/** A label with its quota, and what counts against it. */
export class CountedLabel {
  readonly label: string;
  readonly quota: LabelQuota;
  readonly #nowMs: () => number;
  readonly #exceeded: Record<QuotaName, number> = { worlds: 0, bytes: 0, rate: 0 };
  /** Requests that may be served now: at most those of a second. */
  #free: number;
  #freedMs: number;

  constructor(label: string, quota: LabelQuota, nowMs: () => number) {
    this.label = label;
    this.quota = quota;
    this.#nowMs = nowMs;
    this.#free = quota.rate ?? 0;
    this.#freedMs = nowMs();
  }

  /** Counts a refusal. */
  exceed(name: QuotaName): void {
    this.#exceeded[name] += 1;
  }

  /** Seconds until a request may be served; 0 for now. */
  waitSeconds(): number {
    const { rate } = this.quota;
    if (rate === undefined) return 0;
    const nowMs = this.#nowMs();
    this.#free = Math.min(rate, this.#free + ((nowMs - this.#freedMs) * rate) / 1000);
    this.#freedMs = nowMs;
    return this.#free >= 1 ? 0 : (1 - this.#free) / rate;
  }

  /** Counts a request that is served. */
  serve(): void {
    this.#free -= 1;
  }

  report(): readonly QuotaReport[] {
    const names = ["worlds", "bytes", "rate"] as const;
    return names.flatMap((name) => {
      const value = this.quota[name];
      return value === undefined ? [] : [{ label: this.label, name, value, exceeded: this.#exceeded[name] }];
    });
  }
}
