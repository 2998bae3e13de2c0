import { bytesOf } from "./bytes-of.ts";
import { type BoundedMap, isBefore, type Memories, type Span } from "./rule.ts";

/** What a register knows of a value just before and during a read; `why` says what is in the way. */
export type Expectation<Value> =
  | { readonly type: "known"; readonly value: Value }
  | { readonly type: "unknown"; readonly reason: string };

interface Entry<Value> {
  /** Writes that have begun and not ended. */
  readonly open: number;
  /** When the last write ended. */
  readonly lastWriteEnd: number;
  readonly fact: Fact<Value> | undefined;
  /** What was known before the write that is open, in case it changes nothing. */
  readonly suspended: Fact<Value> | undefined;
  /** Whether a write ended so that it may take effect at any later time. */
  readonly isAdrift: boolean;
}

/** What an entry takes beside its values. */
const entryBytes = 120;

interface Fact<Value> {
  readonly value: Value;
  readonly span: Span;
  /** Of the value. */
  readonly bytes: number;
}

/** How a write ended: it left this value, it changed nothing, it left something, or it may take effect even later. */
export type WriteOutcome<Value> =
  | { readonly type: "left"; readonly value: Value }
  | { readonly type: "unchanged" }
  | { readonly type: "unknown" }
  | { readonly type: "adrift" };

/** How a write ended that did not succeed: refused, or perhaps still under way at the target (Canton 3.5, EndpointsCompanion.scala). */
export function failedWrite(status: number): { readonly type: "unchanged" | "adrift" } {
  return { type: status >= 400 && status < 500 && !undecided.has(status) ? "unchanged" : "adrift" };
}

const undecided: ReadonlySet<number> = new Set([408, 425, 429, 499]);

/**
 * Values of a target as its exchanges show them, by key. A value is known as long as no write overlapped the exchange
 * that showed it and none has begun since; so interleaved clients make it unknown rather than wrong.
 */
export class Register<Value> {
  readonly #entries: BoundedMap<Entry<Value>>;
  readonly #sizeOf: (value: Value) => number;

  /** `sizeOf` gives the bytes of a value, where looking through it would take long. */
  constructor(memories: Memories, sizeOf: (value: Value) => number = bytesOf) {
    this.#sizeOf = sizeOf;
    this.#entries = memories.map(({ fact, suspended }) => entryBytes + (fact?.bytes ?? 0) + (suspended?.bytes ?? 0));
  }

  writeBegins(key: string): void {
    const { open, lastWriteEnd, fact, isAdrift } = this.#entryOf(key);
    const suspended = open === 0 ? fact : undefined;
    this.#entries.set(key, { open: open + 1, lastWriteEnd, fact: undefined, suspended, isAdrift });
  }

  writeEnds(key: string, span: Span, outcome: WriteOutcome<Value>): void {
    const entry = this.#entryOf(key);
    // A write whose beginning was forgotten was not watched alone.
    const isAlone = entry.open === 1 && entry.lastWriteEnd < span.start;
    const open = Math.max(0, entry.open - 1);
    this.#entries.set(key, {
      open,
      lastWriteEnd: Math.max(entry.lastWriteEnd, span.end),
      fact: isAlone ? this.#factAfter(outcome, span, entry.suspended) : undefined,
      suspended: undefined,
      isAdrift: entry.isAdrift || outcome.type === "adrift",
    });
  }

  /** What a read in this span has to show. */
  expected(key: string, span: Span): Expectation<Value> {
    const { open, fact, lastWriteEnd, isAdrift } = this.#entryOf(key);
    if (isAdrift) return adrift;
    if (open > 0) return { type: "unknown", reason: "a change was under way at the same time" };
    if (fact === undefined)
      return lastWriteEnd < span.start
        ? { type: "unknown", reason: "nothing had shown the value before" }
        : { type: "unknown", reason: "a change was under way at the same time" };
    return isBefore(fact.span, span)
      ? { type: "known", value: fact.value }
      : { type: "unknown", reason: "what showed the value before was under way at the same time" };
  }

  /** What was known just before the only write that is open. */
  before(key: string, span: Span): Expectation<Value> {
    const { open, suspended, isAdrift } = this.#entryOf(key);
    if (isAdrift) return adrift;
    if (open !== 1) return { type: "unknown", reason: "another change was under way at the same time" };
    if (suspended === undefined) return { type: "unknown", reason: "nothing had shown the value before" };
    return isBefore(suspended.span, span)
      ? { type: "known", value: suspended.value }
      : { type: "unknown", reason: "what showed the value before was under way at the same time" };
  }

  /** Takes over what a read showed. */
  seen(key: string, span: Span, value: Value): void {
    const { open, lastWriteEnd, fact, suspended, isAdrift } = this.#entryOf(key);
    if (open > 0 || lastWriteEnd >= span.start) return;
    if (fact !== undefined && fact.span.start > span.start) return;
    this.#entries.set(key, { open, lastWriteEnd, fact: this.#factOf(value, span), suspended, isAdrift });
  }

  #factOf(value: Value, span: Span): Fact<Value> {
    return { value, span, bytes: this.#sizeOf(value) };
  }

  #factAfter(outcome: WriteOutcome<Value>, span: Span, suspended: Fact<Value> | undefined): Fact<Value> | undefined {
    switch (outcome.type) {
      case "left":
        return this.#factOf(outcome.value, span);
      case "unchanged":
        return suspended;
      case "unknown":
      case "adrift":
        return undefined;
    }
  }

  #entryOf(key: string): Entry<Value> {
    return this.#entries.get(key) ?? nothingShown;
  }
}

const nothingShown = {
  open: 0,
  lastWriteEnd: -1,
  fact: undefined,
  suspended: undefined,
  isAdrift: false,
} as const;

const adrift = { type: "unknown", reason: "a change before may take effect at any time" } as const;
