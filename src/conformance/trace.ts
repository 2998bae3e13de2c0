import { headerValues } from "../http/header.ts";
import { BoundedMemories } from "./bounded-memory.ts";
import type { JudgedExchange, Look, Span, TracedExchange, TraceRule, TraceWatch } from "./rule.ts";

/** Exchanges that wait to be put in order. */
export const reorderedMax = 1000;
/** Bytes of bodies that wait to be put in order. */
export const reorderedBytesMax: number = 32 * 1024 * 1024;
/** Targets that one trace tells apart. */
export const targetsMax = 100;
/** Recordings cut their times to milliseconds. */
const timeSlackMs = 1;

/** What a trace rule said when an exchange was over. */
export interface TraceLook<Tag> {
  readonly rule: TraceRule;
  readonly judged: JudgedExchange;
  readonly look: Look;
  /** What the exchange was added with. */
  readonly tag: Tag;
}

interface Waiting<Tag> {
  readonly traced: TracedExchange;
  readonly tag: Tag;
  readonly bytes: number;
}

/** What became of the trace's memory. */
export interface TraceCoverage {
  /** By rule: entries that had to be forgotten. */
  readonly forgotten: Readonly<Record<string, number>>;
  /** Exchanges that came so late that all that was known had to be forgotten. */
  readonly late: number;
  /** Exchanges without a usable time. */
  readonly untimed: number;
  /** Exchanges of targets beyond the limit. */
  readonly untracked: number;
}

/**
 * Leads the exchanges of many clients past the trace rules in the order of time, whatever order they come in.
 * `by-time` takes the times of a recording; `one-by-one` is for a client that waits for each answer.
 */
export class Trace<Tag> {
  readonly #rules: readonly TraceRule[];
  readonly #order: "by-time" | "one-by-one";
  readonly #watches = new Map<string, ReadonlyMap<TraceRule, TraceWatch>>();
  readonly #memories: ReadonlyMap<TraceRule, BoundedMemories>;
  /** Waiting exchanges, by start. */
  #waiting: Waiting<Tag>[] = [];
  /** Begun and not ended, by end. */
  #open: Waiting<Tag>[] = [];
  #bytes = 0;
  #count = 0;
  #now = Number.NEGATIVE_INFINITY;
  #late = 0;
  #untimed = 0;
  #untracked = 0;

  constructor(rules: readonly TraceRule[], order: "by-time" | "one-by-one") {
    this.#rules = rules;
    this.#order = order;
    this.#memories = new Map(rules.map((rule) => [rule, new BoundedMemories()]));
  }

  /** Takes an exchange and gives what the rules say of exchanges that are over by now. */
  add(judged: JudgedExchange, tag: Tag): readonly TraceLook<Tag>[] {
    const span = this.#spanOf(judged);
    if (span === undefined) {
      this.#untimed += 1;
      return [];
    }
    if (span.start < this.#now) this.#forgetAll();
    const bytes = judged.responseText.length + judged.requestText.length;
    this.#bytes += bytes;
    insert(this.#waiting, { traced: { ...judged, span }, tag, bytes }, startOf);
    if (this.#order === "one-by-one") return this.end();
    const looks: TraceLook<Tag>[] = [];
    while (this.#waiting.length > reorderedMax || (this.#bytes > reorderedBytesMax && this.#waiting.length > 0))
      looks.push(...this.#beginNext());
    return looks;
  }

  /** What the rules say of the exchanges that are left; nothing comes after it that began before. */
  end(): readonly TraceLook<Tag>[] {
    const looks: TraceLook<Tag>[] = [];
    while (this.#waiting.length > 0) looks.push(...this.#beginNext());
    looks.push(...this.#endUntil(Number.POSITIVE_INFINITY));
    return looks;
  }

  coverage(): TraceCoverage {
    return {
      forgotten: Object.fromEntries(
        [...this.#memories].flatMap(([{ id }, { forgotten }]) => (forgotten === 0 ? [] : [[id, forgotten]])),
      ),
      late: this.#late,
      untimed: this.#untimed,
      untracked: this.#untracked,
    };
  }

  #spanOf({ exchange }: JudgedExchange): Span | undefined {
    this.#count += 1;
    if (this.#order === "one-by-one") return { start: this.#count * 2, end: this.#count * 2 + 1 };
    const start = Date.parse(exchange.startedAt);
    const end = start + exchange.durationMs + timeSlackMs;
    return Number.isFinite(end) && exchange.durationMs >= 0 ? { start, end } : undefined;
  }

  #beginNext(): readonly TraceLook<Tag>[] {
    const next = this.#waiting.shift();
    if (next === undefined) return [];
    this.#bytes -= next.bytes;
    const looks = this.#endUntil(next.traced.span.start);
    this.#now = next.traced.span.start;
    for (const watch of this.#watchesOf(next.traced)?.values() ?? []) watch.begins?.(next.traced);
    insert(this.#open, next, endOf);
    return looks;
  }

  /** Ends what was over before this time; what ends just then may overlap with what begins. */
  #endUntil(time: number): readonly TraceLook<Tag>[] {
    const looks: TraceLook<Tag>[] = [];
    for (let next = this.#open[0]; next !== undefined && next.traced.span.end < time; next = this.#open[0]) {
      this.#open.shift();
      const { traced, tag } = next;
      for (const [rule, watch] of this.#watchesOf(traced) ?? [])
        looks.push({ rule, judged: traced, look: watch.ends(traced), tag });
    }
    return looks;
  }

  #watchesOf(traced: TracedExchange): ReadonlyMap<TraceRule, TraceWatch> | undefined {
    const target = targetOf(traced);
    const known = this.#watches.get(target);
    if (known !== undefined) return known;
    if (this.#watches.size >= targetsMax) {
      this.#untracked += 1;
      return undefined;
    }
    const watches = new Map(this.#rules.map((rule) => [rule, rule.watch(this.#memoriesOf(rule))]));
    this.#watches.set(target, watches);
    return watches;
  }

  #memoriesOf(rule: TraceRule): BoundedMemories {
    return this.#memories.get(rule) ?? new BoundedMemories();
  }

  #forgetAll(): void {
    this.#late += 1;
    this.#watches.clear();
    this.#open = [];
    this.#now = Number.NEGATIVE_INFINITY;
  }
}

/** A base URL, and the world behind it where it is an Understudy. */
function targetOf({ exchange, operation }: TracedExchange): string {
  const { target, headers } = exchange.request;
  const host = /^https?:/i.test(target) ? "" : (headerValues(headers, "host")[0] ?? "");
  const path = target.split("?")[0] ?? "";
  const marker = operation.api === "registry" ? "/registry/" : "/v2/";
  const prefix = path.slice(0, Math.max(0, path.indexOf(marker)));
  return [operation.api, host, prefix, headerValues(headers, "understudy-world")[0] ?? ""].join(" ");
}

function startOf<Tag>({ traced }: Waiting<Tag>): number {
  return traced.span.start;
}

function endOf<Tag>({ traced }: Waiting<Tag>): number {
  return traced.span.end;
}

/** Puts an element after those whose place is not behind its own; most come in order. */
function insert<Element>(sorted: Element[], element: Element, placeOf: (element: Element) => number): void {
  let index = sorted.length;
  while (index > 0 && placeOf(sorted[index - 1] ?? element) > placeOf(element)) index -= 1;
  sorted.splice(index, 0, element);
}
