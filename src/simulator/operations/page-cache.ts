import type { Json } from "../../foundation/json/json.ts";
import type { Shape } from "../../foundation/spec/shape.ts";

/** Maximum number of cached pages. */
const pagesMax = 16;

/**
 * The recent pages of one state. A state never changes, it is replaced; so an operation that reads nothing but the state and
 * what the key names may send the same page again.
 */
export class PageCache<Members> {
  #state: object | undefined;
  readonly #pages = new Map<string, CachedPage<Members>>();

  /** The page of a state with this key, built by `make` unless cached. */
  of(state: object, key: string, make: () => Members): CachedPage<Members> {
    const known = state === this.#state ? this.#pages.get(key) : undefined;
    if (known !== undefined) {
      known.join();
      return known;
    }
    const page = new CachedPage(make());
    if (state !== this.#state || this.#pages.size >= pagesMax) this.#pages.clear();
    this.#state = state;
    this.#pages.set(key, page);
    return page;
  }
}

/** The text and the JSON that a schema makes of a page. */
export interface SentPage {
  /** The text in consecutive parts. */
  readonly parts: readonly string[];
  readonly json: Json;
}

/** A page with the form in which it was last sent. */
export class CachedPage<Members> {
  readonly members: Members;
  #shape: Shape | undefined;
  #sent: SentPage | undefined;

  constructor(members: Members) {
    this.members = members;
  }

  /** Joins the text of a page that is sent again, so that it is not copied for each response. */
  join(): void {
    if (this.#sent !== undefined && this.#sent.parts.length > 1)
      this.#sent = { ...this.#sent, parts: [this.#sent.parts.join("")] };
  }

  /** The page in the form of a schema, made by `show`; cached until it is requested in another one. */
  sent(shape: Shape | undefined, show: (members: Members, shape: Shape | undefined) => SentPage): SentPage {
    if (this.#sent === undefined || this.#shape !== shape) {
      this.#shape = shape;
      this.#sent = show(this.members, shape);
    }
    return this.#sent;
  }
}
