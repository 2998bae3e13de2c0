/** Bounds of each of the two generations of a cache: entries, and the sum of their sizes, such as characters. */
interface CacheBounds {
  readonly entriesMax: number;
  readonly sizeMax: number;
}

/**
 * A cache with two generations: when the newer one is full, the older one is dropped. An entry of the older one that is used
 * moves to the newer one. An entry that is larger than a generation is not cached.
 */
export class GenerationCache<Key, Value> {
  #newer = new Map<Key, Value>();
  #older: ReadonlyMap<Key, Value> = new Map();
  #size = 0;
  readonly #bounds: CacheBounds;
  readonly #sizeOf: (value: Value, key: Key) => number;

  constructor(bounds: CacheBounds, sizeOf: (value: Value, key: Key) => number) {
    this.#bounds = bounds;
    this.#sizeOf = sizeOf;
  }

  get(key: Key): Value | undefined {
    const newer = this.#newer.get(key);
    if (newer !== undefined) return newer;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: Key, value: Value): void {
    const size = this.#sizeOf(value, key);
    if (size > this.#bounds.sizeMax) return;
    const before = this.#newer.get(key);
    if (before !== undefined) this.#size -= this.#sizeOf(before, key);
    if (this.#newer.size >= this.#bounds.entriesMax || this.#size + size > this.#bounds.sizeMax) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#size = 0;
    }
    this.#newer.set(key, value);
    this.#size += size;
  }

  /** Counts the growth of an entry that was set before. */
  grow(size: number): void {
    this.#size += size;
  }
}
