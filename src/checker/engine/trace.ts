import { baseUrlOf, namedWorldOf } from "../rules/base-url-of.ts";
import type { CheckedExchange, RuleResult, TracedExchange, TraceRule, TraceWatch } from "../rules/rule.ts";
import { rulesByOperation } from "./_rules-by-operation.ts";
import { BoundedMemories } from "./bounded-memory.ts";

/** Exchanges that are under way at the same time. */
export const openMax = 10_000;
/** Characters of their bodies. */
export const openLengthMax: number = 32 * 1024 * 1024;
/** Targets that one trace tells apart. */
export const targetsMax = 100;

/** What a trace rule that is concerned said when an exchange was over. */
export interface TraceLook<Tag> {
  readonly rule: TraceRule;
  readonly checked: CheckedExchange;
  /** `failed` where the rule threw, which is a fault of the rule. */
  readonly look:
    | Exclude<RuleResult, { readonly type: "not-applicable" }>
    | { readonly type: "failed"; readonly error: unknown };
  /** What the exchange was added with. */
  readonly tag: Tag;
}

/** An exchange that has begun and not ended. */
interface Open<Tag> {
  readonly traced: TracedExchange;
  readonly target: string;
  readonly tag: Tag;
}

/** A trace rule with what it knows of one target. */
interface RuleAtWork {
  readonly rule: TraceRule;
  readonly operations: readonly string[] | undefined;
  readonly watch: TraceWatch;
}

/** The rules that watch one target, by the operation that they look at. */
type Watches = (operationId: string) => readonly RuleAtWork[];

/** What became of the trace's memory. */
export interface TraceCoverage {
  /** By rule: entries that had to be forgotten. */
  readonly forgotten: Readonly<Record<string, number>>;
  /** How often all that was known had to be forgotten: an exchange came too late, or too many were under way. */
  readonly late: number;
  /** Exchanges without a usable time: none at all, or one at which too many others were under way. */
  readonly untimed: number;
  /** Exchanges of targets beyond the limit. */
  readonly untracked: number;
}

/**
 * Leads the exchanges of many clients past the trace rules: each begins, and ends after everything that began before its
 * end has begun. They come in the order in which they began; one that began earlier makes the rules forget what they knew.
 */
export class Trace<Tag> {
  readonly #rules: readonly TraceRule[];
  readonly #targetOf: (checked: CheckedExchange) => string;
  readonly #watches = new Map<string, Watches>();
  readonly #memories: ReadonlyMap<TraceRule, BoundedMemories>;
  /** By end. */
  #open: Open<Tag>[] = [];
  #openLength = 0;
  #blindUntil = Number.NEGATIVE_INFINITY;
  #now = Number.NEGATIVE_INFINITY;
  #late = 0;
  #untimed = 0;
  #untracked = 0;

  /** `targetOf` says which exchanges belong together: a rule watches each target apart from the others. */
  constructor(rules: readonly TraceRule[], targetOf: (checked: CheckedExchange) => string = apiOf) {
    this.#rules = rules;
    this.#targetOf = targetOf;
    this.#memories = new Map(rules.map((rule) => [rule, new BoundedMemories()]));
  }

  /** Takes an exchange and gives what the rules say of those that are over by now. No rule sees one without a span. */
  add(checked: CheckedExchange, tag: Tag): readonly TraceLook<Tag>[] {
    if (!isTimed(checked)) {
      this.#untimed += 1;
      return [];
    }
    const { start } = checked.span;
    if (start < this.#now) this.#forgetAll();
    const looks = this.#endUntil(start);
    if (this.#open.length >= openMax || this.#openLength > openLengthMax) this.#loseSight();
    this.#now = start;
    if (start <= this.#blindUntil) {
      this.#untimed += 1;
      return looks;
    }
    const open = { traced: checked, target: this.#targetOf(checked), tag };
    const failed = this.#begin(open);
    this.#insert(open);
    return [...looks, ...failed];
  }

  /** Takes an exchange beside which nothing is under way, and gives what the rules say of it. */
  pass(traced: TracedExchange, tag: Tag): readonly TraceLook<Tag>[] {
    const looks: TraceLook<Tag>[] = [];
    for (const { rule, watch } of this.#watchesOf({ traced, target: this.#targetOf(traced), tag })) {
      const look = passing(watch, traced);
      if (look.type !== "not-applicable") looks.push({ rule, checked: traced, look, tag });
    }
    return looks;
  }

  /** What the rules say of the exchanges that are left; nothing comes after it that began before. */
  end(): readonly TraceLook<Tag>[] {
    return this.#endUntil(Number.POSITIVE_INFINITY);
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

  #begin(open: Open<Tag>): readonly TraceLook<Tag>[] {
    const failed: TraceLook<Tag>[] = [];
    for (const { rule, watch } of this.#watchesOf(open)) {
      try {
        watch.begins?.(open.traced);
      } catch (error) {
        failed.push({ rule, checked: open.traced, look: { type: "failed", error }, tag: open.tag });
      }
    }
    return failed;
  }

  /** Ends what was over before this time; what ends just then may overlap with what begins. */
  #endUntil(time: number): readonly TraceLook<Tag>[] {
    const looks: TraceLook<Tag>[] = [];
    for (let next = this.#open[0]; next !== undefined && next.traced.span.end < time; next = this.#open[0]) {
      this.#open.shift();
      this.#openLength -= next.traced.length;
      const { traced, tag } = next;
      for (const { rule, watch } of this.#watchesOf(next)) {
        const look = lookOf(watch, traced);
        if (look.type !== "not-applicable") looks.push({ rule, checked: traced, look, tag });
      }
    }
    return looks;
  }

  #insert(element: Open<Tag>): void {
    const open = this.#open;
    const { end } = element.traced.span;
    this.#openLength += element.traced.length;
    let index = open.length;
    while (index > 0 && (open[index - 1]?.traced.span.end ?? end) > end) index -= 1;
    if (index === open.length) open.push(element);
    else open.splice(index, 0, element);
  }

  #watchesOf({ target, traced: { operation } }: Open<Tag>): readonly RuleAtWork[] {
    const known = this.#watches.get(target);
    if (known !== undefined) return known(operation.operationId);
    if (this.#watches.size >= targetsMax) {
      this.#untracked += 1;
      return [];
    }
    const watches = rulesByOperation(
      this.#rules.map((rule) => ({
        rule,
        operations: rule.operations,
        watch: watchOf(rule, this.#memoriesOf(rule)),
      })),
    );
    this.#watches.set(target, watches);
    return watches(operation.operationId);
  }

  #memoriesOf(rule: TraceRule): BoundedMemories {
    return this.#memories.get(rule) ?? new BoundedMemories();
  }

  #forgetAll(): void {
    this.#late += 1;
    this.#watches.clear();
    for (const memories of this.#memories.values()) memories.letGo();
    this.#now = Number.NEGATIVE_INFINITY;
    // A rule that fails here has failed at the same exchange before.
    for (const open of this.#open) this.#begin(open);
  }

  /** Forgets what is under way too; until it is over nobody knows what it changes. */
  #loseSight(): void {
    this.#blindUntil = Math.max(this.#blindUntil, this.#open.at(-1)?.traced.span.end ?? this.#blindUntil);
    this.#open = [];
    this.#openLength = 0;
    this.#forgetAll();
  }
}

/** A rule that cannot even begin fails at every exchange. */
function watchOf(rule: TraceRule, memories: BoundedMemories): TraceWatch {
  try {
    return rule.watch(memories);
  } catch (error) {
    return {
      ends: () => {
        throw error;
      },
    };
  }
}

function passing(watch: TraceWatch, traced: TracedExchange): ReturnType<typeof lookOf> {
  try {
    watch.begins?.(traced);
  } catch (error) {
    return { type: "failed", error };
  }
  return lookOf(watch, traced);
}

function lookOf(
  watch: TraceWatch,
  traced: TracedExchange,
): RuleResult | { readonly type: "failed"; readonly error: unknown } {
  try {
    return watch.ends(traced);
  } catch (error) {
    return { type: "failed", error };
  }
}

function isTimed(checked: CheckedExchange): checked is TracedExchange {
  return checked.span !== undefined;
}

/** An API at its base URL, and the world behind it where it is an Understudy. */
function apiOf(checked: CheckedExchange): string {
  return `${checked.operation.api} ${baseUrlOf(checked)} ${namedWorldOf(checked)}`;
}
