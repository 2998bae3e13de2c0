import { type Head, headOf } from "./refusals.ts";

/** Maximum number of heads that are compared with a new one. */
const headsMax = 8;

/**
 * The heads of recent requests. Clients send the same headers again and again; a head that was read already is given again,
 * and the exchanges of a journal share it. The heads, with their tokens, stay in memory until others replace them.
 */
export class RecentHeads {
  readonly #recent: { readonly raw: readonly string[]; readonly head: Head }[] = [];
  #oldest = 0;

  /** The head of this flat list of header names and values. */
  of(raw: readonly string[]): Head {
    for (const recent of this.#recent) if (isSame(recent.raw, raw)) return recent.head;
    const head = headOf(raw);
    this.#recent[this.#oldest] = { raw, head };
    this.#oldest = (this.#oldest + 1) % headsMax;
    return head;
  }
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false;
  // The last header is often the length of the body.
  for (let index = left.length - 1; index >= 0; index -= 1) if (left[index] !== right[index]) return false;
  return true;
}
