import { type Right, rightKey } from "./ledger-state.ts";

/**
 * The rights of a user, put together when somebody asks for them: of a million users that a fixture gives, a test looks at
 * some, and the keys of all their rights take more memory than all the rest.
 */
export class LazyRights<Written> implements ReadonlyMap<string, Right> {
  readonly #written: readonly Written[];
  readonly #rightOf: (written: Written) => Right | undefined;
  #rights: Map<string, Right> | undefined;

  /** `rightOf` gives undefined for what is no right. */
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

  forEach(tell: (right: Right, key: string, rights: ReadonlyMap<string, Right>) => void): void {
    for (const [key, right] of this.#map) tell(right, key, this);
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
