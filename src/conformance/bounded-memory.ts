import type { BoundedMap, Memories } from "./rule.ts";

/** Entries that one memory of a trace rule holds. */
export const rememberedMax = 10_000;

/** The memories of one trace rule, with a count of what they had to forget. */
export class BoundedMemories implements Memories {
  #forgotten = 0;

  get forgotten(): number {
    return this.#forgotten;
  }

  map<Value>(): BoundedMap<Value> {
    const entries = new Map<string, Value>();
    return {
      get: (key) => entries.get(key),
      delete: (key) => void entries.delete(key),
      set: (key, value) => {
        entries.delete(key);
        entries.set(key, value);
        if (entries.size <= rememberedMax) return;
        const oldest = entries.keys().next();
        if (oldest.done === true) return;
        entries.delete(oldest.value);
        this.#forgotten += 1;
      },
    };
  }
}
