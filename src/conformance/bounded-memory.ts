import { bytesOf } from "./bytes-of.ts";
import type { BoundedMap, Memories } from "./rule.ts";

/** Entries that one memory of a trace rule holds. */
export const rememberedMax = 5_000;
/** Bytes that all memories of one trace rule hold, at most: strings are counted with two bytes a character. */
export const rememberedBytesMax: number = 4 * 1024 * 1024;

/** What an entry of a map takes beside its key and value. */
const entryBytes = 80;

interface Entry<Value> {
  readonly value: Value;
  readonly bytes: number;
  /** Counts up over all memories of the rule. */
  readonly age: number;
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
    const remove = (key: string, entry: Entry<Value> | undefined): void => {
      if (entry !== undefined && entries.delete(key)) this.#bytes -= entry.bytes;
    };
    const oldest = () => entries.entries().next().value;
    const forgetOldest = (): void => {
      const [key, entry] = oldest() ?? [];
      if (key === undefined) return;
      remove(key, entry);
      this.#forgotten += 1;
    };
    this.#all.push({ oldestAge: () => oldest()?.[1].age, forgetOldest });
    return {
      get: (key) => entries.get(key)?.value,
      delete: (key) => remove(key, entries.get(key)),
      set: (key, value) => {
        remove(key, entries.get(key));
        const bytes = entryBytes + 2 * key.length + sizeOf(value);
        this.#age += 1;
        entries.set(key, { value, bytes, age: this.#age });
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
