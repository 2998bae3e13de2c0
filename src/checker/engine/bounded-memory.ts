import { bytesOf } from "../rules/bytes-of.ts";
import type { BoundedMap, Memories } from "../rules/rule.ts";

/** Entries in one map of a trace rule. */
export const rememberedMax = 5_000;
/** Bytes in all maps of one trace rule; a string counts two bytes per character. */
const rememberedBytesMax: number = 4 * 1024 * 1024;

/** Overhead of a map entry beside its key and value. */
const entryBytes = 80;

/** A node of a linked list in the order of the last `set`. */
interface Entry<Value> {
  readonly key: string;
  value: Value;
  bytes: number;
  /** The sequence number of the last `set`, over all maps of the rule. */
  age: number;
  older: Entry<Value> | undefined;
  newer: Entry<Value> | undefined;
}

/** A map that shares its limit with the other maps of a rule. */
interface EvictableMap {
  /** Undefined for an empty map. */
  oldestAge(): number | undefined;
  evictOldest(): void;
}

/** The maps of one trace rule with a common limit, and the number of evicted entries without those of caches. */
export class BoundedMemories implements Memories {
  readonly #all: EvictableMap[] = [];
  #evicted = 0;
  #bytes = 0;
  #age = 0;

  get evicted(): number {
    return this.#evicted;
  }

  map<Value>(sizeOf: (value: Value) => number = bytesOf): BoundedMap<Value> {
    return this.#newMap(sizeOf, () => {
      this.#evicted += 1;
    });
  }

  cache<Value>(): BoundedMap<Value> {
    return this.#newMap<Value>(bytesOf, () => {});
  }

  /** Detaches the maps: they stay usable and no longer count against the limit. */
  detach(): void {
    this.#all.length = 0;
    this.#bytes = 0;
  }

  #newMap<Value>(sizeOf: (value: Value) => number, onEvicted: () => void): BoundedMap<Value> {
    const entries = new Map<string, Entry<Value>>();
    const order = new ByAge<Value>();
    const remove = (entry: Entry<Value>): void => {
      entries.delete(entry.key);
      order.takeOut(entry);
      this.#bytes -= entry.bytes;
    };
    const evictOldest = (): void => {
      if (order.oldest === undefined) return;
      remove(order.oldest);
      onEvicted();
    };
    this.#all.push({ oldestAge: () => order.oldest?.age, evictOldest });
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
        if (entries.size > rememberedMax) evictOldest();
        while (this.#bytes > rememberedBytesMax) this.#evictOldestOfAll();
      },
    };
  }

  #evictOldestOfAll(): void {
    let [oldest, age] = [this.#all[0], Number.POSITIVE_INFINITY];
    for (const map of this.#all) {
      const mapAge = map.oldestAge() ?? Number.POSITIVE_INFINITY;
      if (mapAge < age) [oldest, age] = [map, mapAge];
    }
    oldest?.evictOldest();
  }
}

/** Objects count as different because they may have grown. */
function isSame(before: unknown, after: unknown): boolean {
  return before === after && typeof after !== "object";
}

/** A linked list of entries, least recently set first. */
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
