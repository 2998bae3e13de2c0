import { CachedMembers } from "./cached-members.ts";

/** Maximum number of cached pages. */
const pagesMax = 16;

/**
 * The recent pages of one state. A state never changes, it is replaced; so an operation that reads nothing but the state and
 * what the key names may send the same page again.
 */
export class PageCache<Members> {
  #state: object | undefined;
  readonly #pages = new Map<string, CachedMembers<Members>>();

  /** The page of a state with this key, built by `make` unless cached. */
  of(state: object, key: string, make: () => Members): CachedMembers<Members> {
    const known = state === this.#state ? this.#pages.get(key) : undefined;
    if (known !== undefined) {
      known.join();
      return known;
    }
    const page = new CachedMembers(make());
    if (state !== this.#state || this.#pages.size >= pagesMax) this.#pages.clear();
    this.#state = state;
    this.#pages.set(key, page);
    return page;
  }
}
