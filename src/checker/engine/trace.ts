import { baseUrlOf, namedWorldOf } from "../rules/base-url-of.ts";
import type { CheckedExchange, RuleResult, TracedExchange, TraceRule, TraceWatch } from "../rules/rule.ts";
import { rulesByOperation } from "./_rules-by-operation.ts";
import { BoundedMemories } from "./bounded-memory.ts";

/** Exchanges that may be open at the same time. */
const openMax = 10_000;
/** Characters of the bodies of open exchanges. */
const openLengthMax: number = 32 * 1024 * 1024;
/** Targets that one trace distinguishes. */
const targetsMax = 100;

/** The result of a trace rule that applies to an exchange. */
export interface TraceResult<Tag> {
  readonly rule: TraceRule;
  readonly checked: CheckedExchange;
  /** `failed` where the rule threw: a bug in the rule. */
  readonly result:
    | Exclude<RuleResult, { readonly type: "not-applicable" }>
    | { readonly type: "failed"; readonly error: unknown };
  /** The tag with which the exchange was added. */
  readonly tag: Tag;
}

/** An exchange that has begun and not ended. */
interface OpenExchange<Tag> {
  readonly traced: TracedExchange;
  readonly target: string;
  readonly tag: Tag;
}

/** A trace rule with its state for one target. */
interface ActiveRule {
  readonly rule: TraceRule;
  readonly operations: readonly string[] | undefined;
  readonly watch: TraceWatch;
}

/** The active rules of one target that concern an operation. */
type RulesOfTarget = (operationId: string) => readonly ActiveRule[];

/** What exceeded the memory limits of the trace. */
export interface TraceCoverage {
  /** By rule: evicted entries. */
  readonly evicted: Readonly<Record<string, number>>;
  /** How often the whole memory was cleared: an exchange arrived too late, or too many were open. */
  readonly resets: number;
  /** Exchanges without a usable time: it is missing, or too many other exchanges were open at that time. */
  readonly untimed: number;
  /** Exchanges of targets beyond `targetsMax`. */
  readonly untracked: number;
}

/**
 * Feeds the exchanges of concurrent clients to the trace rules. An exchange ends only after every exchange that began
 * before its end has begun. Input is sorted by start time; an exchange that began earlier clears the memory of the rules.
 */
export class Trace<Tag> {
  readonly #rules: readonly TraceRule[];
  readonly #targetOf: (checked: CheckedExchange) => string;
  readonly #targets = new Map<string, RulesOfTarget>();
  readonly #memories: ReadonlyMap<TraceRule, BoundedMemories>;
  /** By end. */
  #open: OpenExchange<Tag>[] = [];
  #openLength = 0;
  #skippedUntil = Number.NEGATIVE_INFINITY;
  #now = Number.NEGATIVE_INFINITY;
  #resets = 0;
  #untimed = 0;
  #untracked = 0;

  /** `targetOf` groups exchanges by target: a rule keeps separate state for each target. */
  constructor(rules: readonly TraceRule[], targetOf: (checked: CheckedExchange) => string = apiOf) {
    this.#rules = rules;
    this.#targetOf = targetOf;
    this.#memories = new Map(rules.map((rule) => [rule, new BoundedMemories()]));
  }

  /** Adds an exchange and returns the results on exchanges that have ended by now. Exchanges without a span are skipped. */
  add(checked: CheckedExchange, tag: Tag): readonly TraceResult<Tag>[] {
    if (!isTimed(checked)) {
      this.#untimed += 1;
      return [];
    }
    const { start } = checked.span;
    if (start < this.#now) this.#clearMemory();
    const results = this.#endUntil(start);
    if (this.#open.length >= openMax || this.#openLength > openLengthMax) this.#dropOpenExchanges();
    this.#now = start;
    if (start <= this.#skippedUntil) {
      this.#untimed += 1;
      return results;
    }
    const open = { traced: checked, target: this.#targetOf(checked), tag };
    if (this.#rulesFor(open).length === 0) return results;
    const failed = this.#begin(open);
    this.#insert(open);
    return failed.length === 0 ? results : [...results, ...failed];
  }

  /** Ends all open exchanges and returns the results on them. */
  end(): readonly TraceResult<Tag>[] {
    return this.#endUntil(Number.POSITIVE_INFINITY);
  }

  coverage(): TraceCoverage {
    return {
      evicted: Object.fromEntries(
        [...this.#memories].flatMap(([{ id }, { evicted }]) => (evicted === 0 ? [] : [[id, evicted]])),
      ),
      resets: this.#resets,
      untimed: this.#untimed,
      untracked: this.#untracked,
    };
  }

  #begin(open: OpenExchange<Tag>): readonly TraceResult<Tag>[] {
    const failed: TraceResult<Tag>[] = [];
    for (const { rule, watch } of this.#rulesFor(open)) {
      try {
        watch.begins?.(open.traced);
      } catch (error) {
        failed.push({ rule, checked: open.traced, result: { type: "failed", error }, tag: open.tag });
      }
    }
    return failed;
  }

  /** Ends exchanges that ended before this time. One that ends exactly then may overlap with the next. */
  #endUntil(time: number): readonly TraceResult<Tag>[] {
    const results: TraceResult<Tag>[] = [];
    for (let next = this.#open[0]; next !== undefined && next.traced.span.end < time; next = this.#open[0]) {
      this.#open.shift();
      this.#openLength -= next.traced.length;
      const { traced, tag } = next;
      for (const { rule, watch } of this.#rulesFor(next)) {
        const result = resultOf(watch, traced);
        if (result.type !== "not-applicable") results.push({ rule, checked: traced, result, tag });
      }
    }
    return results;
  }

  #insert(element: OpenExchange<Tag>): void {
    const open = this.#open;
    const { end } = element.traced.span;
    this.#openLength += element.traced.length;
    let index = open.length;
    while (index > 0 && (open[index - 1]?.traced.span.end ?? end) > end) index -= 1;
    if (index === open.length) open.push(element);
    else open.splice(index, 0, element);
  }

  #rulesFor({ target, traced: { operation } }: OpenExchange<Tag>): readonly ActiveRule[] {
    const known = this.#targets.get(target);
    if (known !== undefined) return known(operation.operationId);
    if (this.#targets.size >= targetsMax) {
      this.#untracked += 1;
      return [];
    }
    const active = rulesByOperation(
      this.#rules.map((rule) => ({ rule, operations: rule.operations, watch: watchOf(rule, this.#memoriesOf(rule)) })),
    );
    this.#targets.set(target, active);
    return active(operation.operationId);
  }

  #memoriesOf(rule: TraceRule): BoundedMemories {
    return this.#memories.get(rule) ?? new BoundedMemories();
  }

  #clearMemory(): void {
    this.#resets += 1;
    this.#targets.clear();
    for (const memories of this.#memories.values()) memories.detach();
    this.#now = Number.NEGATIVE_INFINITY;
    // A rule that throws here has thrown for the same exchange before.
    for (const open of this.#open) this.#begin(open);
  }

  /** Clears the memory and drops the open exchanges. Until they end, their changes are unknown, so exchanges are skipped. */
  #dropOpenExchanges(): void {
    this.#skippedUntil = Math.max(this.#skippedUntil, this.#open.at(-1)?.traced.span.end ?? this.#skippedUntil);
    this.#open = [];
    this.#openLength = 0;
    this.#clearMemory();
  }
}

/** A rule that throws when it starts fails on every exchange. */
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

function resultOf(
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

/** API, base URL, and the world of a stub where the request names one. */
function apiOf(checked: CheckedExchange): string {
  return `${checked.operation.api} ${baseUrlOf(checked)} ${namedWorldOf(checked)}`;
}
