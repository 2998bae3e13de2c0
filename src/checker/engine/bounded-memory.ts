import { bytesOf } from "../rules/bytes-of.ts";
import type { BoundedMap, Memories } from "../rules/rule.ts";

/** Entries that one memory of a trace rule holds. */
export const rememberedMax = 5_000;
/** Bytes that all memories of one trace rule hold, at most: strings are counted with two bytes a character. */
export const rememberedBytesMax: number = 4 * 1024 * 1024;

/** What an entry of a map takes beside its key and value. */
const entryBytes = 80;

/** Entries form a list in the order in which they were set, so that one that is set again only changes its place. */
interface Entry<Value> {
  readonly key: string;
  value: Value;
  bytes: number;
  /** Counts up over all memories of the rule. */
  age: number;
  older: Entry<Value> | undefined;
  newer: Entry<Value> | undefined;
}

/** A memory as those that share its bounds see it. */
interface Forgetful {
  /** Undefined where there is nothing to forget. */
  oldestAge(): number | undefined;
  forgetOldest(): void;
}

/** The memories of one trace rule, with a count of what they had to forget. */
export class BoundedMemories implements Memories {
  readonly #all: Forgetful[] = [];
  #forgotten = 0;
  #bytes = 0;
  #age = 0;

  get forgotten(): number {
    return this.#forgotten;
  }

  map<Value>(sizeOf: (value: Value) => number = bytesOf): BoundedMap<Value> {
    const entries = new Map<string, Entry<Value>>();
    const order = new ByAge<Value>();
    const remove = (entry: Entry<Value>): void => {
      entries.delete(entry.key);
      order.takeOut(entry);
      this.#bytes -= entry.bytes;
    };
    const forgetOldest = (): void => {
      if (order.oldest === undefined) return;
      remove(order.oldest);
      this.#forgotten += 1;
    };
    this.#all.push({ oldestAge: () => order.oldest?.age, forgetOldest });
    return {
      get: (key) => entries.get(key)?.value,
      delete: (key) => {
        const entry = entries.get(key);
        if (entry !== undefined) remove(entry);
      },
      set: (key, value) => {
        this.#age += 1;
        const known = entries.get(key);
        if (known !== undefined && known.newer === undefined && isSame(known.value, value)) {
          known.age = this.#age;
          return;
        }
        const bytes = entryBytes + 2 * key.length + sizeOf(value);
        if (known === undefined) {
          const entry = { key, value, bytes, age: this.#age, older: undefined, newer: undefined };
          entries.set(key, entry);
          order.putLast(entry);
        } else {
          this.#bytes -= known.bytes;
          known.value = value;
          known.bytes = bytes;
          known.age = this.#age;
          order.takeOut(known);
          order.putLast(known);
        }
        this.#bytes += bytes;
        if (entries.size > rememberedMax) forgetOldest();
        while (this.#bytes > rememberedBytesMax) this.#forgetOldestOfAll();
      },
    };
  }

  /** Leaves those who still use them with memories of their own, out of these bounds. */
  letGo(): void {
    this.#all.length = 0;
    this.#bytes = 0;
  }

  #forgetOldestOfAll(): void {
    let [found, age] = [this.#all[0], Number.POSITIVE_INFINITY];
    for (const memory of this.#all) {
      const its = memory.oldestAge() ?? Number.POSITIVE_INFINITY;
      if (its < age) [found, age] = [memory, its];
    }
    found?.forgetOldest();
  }
}

/** An object may have grown since. */
function isSame(before: unknown, after: unknown): boolean {
  return before === after && typeof after !== "object";
}

/** A list of entries, the one that was set longest ago first. */
class ByAge<Value> {
  oldest: Entry<Value> | undefined;
  #newest: Entry<Value> | undefined;

  takeOut(entry: Entry<Value>): void {
    const { older, newer } = entry;
    if (older === undefined) this.oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    entry.older = undefined;
    entry.newer = undefined;
  }

  putLast(entry: Entry<Value>): void {
    entry.older = this.#newest;
    if (this.#newest === undefined) this.oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
  }
}
