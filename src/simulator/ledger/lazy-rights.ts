import { type Right, rightKey } from "./ledger-state.ts";

/**
 * The rights of a user, built on first access. A fixture may give a million users of which a test reads a few, and the
 * keys of all their rights take more memory than the rest.
 */
export class LazyRights<Written> implements ReadonlyMap<string, Right> {
  readonly #written: readonly Written[];
  readonly #rightOf: (written: Written) => Right | undefined;
  #rights: Map<string, Right> | undefined;

  /** `rightOf` gives undefined for an invalid right. */
  constructor(written: readonly Written[], rightOf: (written: Written) => Right | undefined) {
    this.#written = written;
    this.#rightOf = rightOf;
  }

  get size(): number {
    return this.#map.size;
  }

  get(key: string): Right | undefined {
    return this.#map.get(key);
  }

  has(key: string): boolean {
    return this.#map.has(key);
  }

  forEach(callback: (right: Right, key: string, rights: ReadonlyMap<string, Right>) => void): void {
    for (const [key, right] of this.#map) callback(right, key, this);
  }

  entries(): MapIterator<[string, Right]> {
    return this.#map.entries();
  }

  keys(): MapIterator<string> {
    return this.#map.keys();
  }

  values(): MapIterator<Right> {
    return this.#map.values();
  }

  [Symbol.iterator](): MapIterator<[string, Right]> {
    return this.#map.entries();
  }

  get #map(): Map<string, Right> {
    this.#rights ??= new Map(
      this.#written.flatMap((written) => {
        const right = this.#rightOf(written);
        return right === undefined ? [] : [[rightKey(right), right] as const];
      }),
    );
    return this.#rights;
  }
}
