import { CachedMembers } from "./cached-members.ts";

/** Maximum number of cached pages. */
const pagesMax = 16;

/** Characters of the cached pages. With more, the cache begins anew. */
const charactersMax: number = 1024 * 1024;

/**
 * The recent pages of one state. A state never changes, it is replaced; so an operation that reads nothing but the state and
 * what the key names may send the same page again.
 */
export class PageCache<Members> {
  #state: object | undefined;
  readonly #pages = new Map<string, CachedMembers<Members>>();

  /** The page of a state with this key, built by `make` unless cached. */
  of(state: object, key: string, make: () => Members): CachedMembers<Members> {
    if (state !== this.#state || this.#characters() > charactersMax) this.#pages.clear();
    this.#state = state;
    const known = this.#pages.get(key);
    if (known !== undefined) return known;
    if (this.#pages.size >= pagesMax) this.#pages.clear();
    const page = new CachedMembers(make());
    this.#pages.set(key, page);
    return page;
  }

  #characters(): number {
    let sum = 0;
    for (const page of this.#pages.values()) sum += page.characters;
    return sum;
  }
}
