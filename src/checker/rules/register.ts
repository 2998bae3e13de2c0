import { bytesOf } from "./bytes-of.ts";
import { type BoundedMap, isBefore, type Memories, type Span } from "./rule.ts";

/** The known value just before and during a read, or the reason why it is unknown. */
export type Expectation<Value> =
  | { readonly type: "known"; readonly value: Value }
  | { readonly type: "unknown"; readonly reason: string };

interface Entry<Value> {
  /** Number of writes in progress. */
  readonly open: number;
  /** End of the last write. */
  readonly lastWriteEnd: number;
  readonly fact: Fact<Value> | undefined;
  /** The value before the open write, restored if the write changes nothing. */
  readonly suspended: Fact<Value> | undefined;
  /** Whether an undecided write may still take effect. */
  readonly isUndecided: boolean;
}

/** Bytes of an entry without its values. */
const entryBytes = 120;

interface Fact<Value> {
  readonly value: Value;
  readonly span: Span;
  /** Size of the value. */
  readonly bytes: number;
}

/** The outcome of a write: a known new value, no change, an unknown value, or undecided (it may still take effect). */
export type WriteOutcome<Value> =
  | { readonly type: "written"; readonly value: Value }
  | { readonly type: "unchanged" }
  | { readonly type: "unknown" }
  | { readonly type: "undecided" };

/**
 * The outcome of a failed write: 408, 425, 429, 499 and everything outside 4xx leave it undecided (Canton 3.5,
 * EndpointsCompanion.scala).
 */
export function failedWrite(status: number): { readonly type: "unchanged" | "undecided" } {
  return { type: status >= 400 && status < 500 && !undecidedStatuses.has(status) ? "unchanged" : "undecided" };
}

const undecidedStatuses: ReadonlySet<number> = new Set([408, 425, 429, 499]);

/**
 * The values of a target, by key, as far as exchanges show them. A value is known if no write overlaps the exchange
 * that shows it and no later write has begun. Concurrent clients therefore make a value unknown, never wrong.
 */
export class Register<Value> {
  readonly #entries: BoundedMap<Entry<Value>>;
  readonly #sizeOf: (value: Value) => number;

  /** `sizeOf` gives the size of a value in bytes, for values that are slow to measure. */
  constructor(memories: Memories, sizeOf: (value: Value) => number = bytesOf) {
    this.#sizeOf = sizeOf;
    this.#entries = memories.map(({ fact, suspended }) => entryBytes + (fact?.bytes ?? 0) + (suspended?.bytes ?? 0));
  }

  writeBegins(key: string): void {
    const { open, lastWriteEnd, fact, isUndecided } = this.#entryOf(key);
    const suspended = open === 0 ? fact : undefined;
    this.#entries.set(key, { open: open + 1, lastWriteEnd, fact: undefined, suspended, isUndecided });
  }

  writeEnds(key: string, span: Span, outcome: WriteOutcome<Value>): void {
    const entry = this.#entryOf(key);
    // After an eviction the number of open writes is wrong, so the write does not count as the only one.
    const isAlone = entry.open === 1 && entry.lastWriteEnd < span.start;
    const open = Math.max(0, entry.open - 1);
    this.#entries.set(key, {
      open,
      lastWriteEnd: Math.max(entry.lastWriteEnd, span.end),
      fact: isAlone ? this.#factAfter(outcome, span, entry.suspended) : undefined,
      suspended: undefined,
      isUndecided: entry.isUndecided || outcome.type === "undecided",
    });
  }

  /** The value that a read in this span must show. */
  expected(key: string, span: Span): Expectation<Value> {
    const { open, fact, lastWriteEnd, isUndecided } = this.#entryOf(key);
    if (isUndecided) return mayStillChange;
    if (open > 0) return { type: "unknown", reason: "another change was in progress at the same time" };
    if (fact === undefined)
      return lastWriteEnd < span.start
        ? { type: "unknown", reason: "no earlier exchange shows the value" }
        : { type: "unknown", reason: "another change was in progress at the same time" };
    return isBefore(fact.span, span)
      ? { type: "known", value: fact.value }
      : { type: "unknown", reason: "the exchange that shows the value overlaps this one" };
  }

  /** The value just before the only open write. */
  before(key: string, span: Span): Expectation<Value> {
    const { open, suspended, isUndecided } = this.#entryOf(key);
    if (isUndecided) return mayStillChange;
    if (open !== 1) return { type: "unknown", reason: "another change was in progress at the same time" };
    if (suspended === undefined) return { type: "unknown", reason: "no earlier exchange shows the value" };
    return isBefore(suspended.span, span)
      ? { type: "known", value: suspended.value }
      : { type: "unknown", reason: "the exchange that shows the value overlaps this one" };
  }

  /** Records the value that a read shows. */
  seen(key: string, span: Span, value: Value): void {
    const { open, lastWriteEnd, fact, suspended, isUndecided } = this.#entryOf(key);
    if (open > 0 || lastWriteEnd >= span.start) return;
    if (fact !== undefined && fact.span.start > span.start) return;
    this.#entries.set(key, { open, lastWriteEnd, fact: this.#factOf(value, span), suspended, isUndecided });
  }

  #factOf(value: Value, span: Span): Fact<Value> {
    return { value, span, bytes: this.#sizeOf(value) };
  }

  #factAfter(outcome: WriteOutcome<Value>, span: Span, suspended: Fact<Value> | undefined): Fact<Value> | undefined {
    switch (outcome.type) {
      case "written":
        return this.#factOf(outcome.value, span);
      case "unchanged":
        return suspended;
      case "unknown":
      case "undecided":
        return undefined;
    }
  }

  #entryOf(key: string): Entry<Value> {
    return this.#entries.get(key) ?? nothingShown;
  }
}

const nothingShown = { open: 0, lastWriteEnd: -1, fact: undefined, suspended: undefined, isUndecided: false } as const;

const mayStillChange = { type: "unknown", reason: "an earlier change may still take effect" } as const;
