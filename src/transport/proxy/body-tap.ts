import { Body } from "../../foundation/http/body.ts";
import { type ByteBudget, GrowingBytes } from "../../foundation/http/growing-bytes.ts";

/**
 * Keeps a copy of a forwarded body up to a limit, and up to the rest of a budget for all bodies. A longer body is not kept
 * at all, since a part cannot be parsed or redacted.
 */
export class BodyTap {
  readonly #bytesMax: number;
  readonly #bytes: GrowingBytes;
  #length = 0;
  #state: "keeps" | "too-long" | "no-room" | "released" = "keeps";

  constructor(bytesMax: number, budget: ByteBudget) {
    this.#bytesMax = bytesMax;
    this.#bytes = new GrowingBytes(budget, bytesMax);
  }

  /** Number of forwarded bytes. */
  get length(): number {
    return this.#length;
  }

  /** Why the body is omitted: it is too long, or the budget is exhausted. */
  get omission(): "too-long" | "no-room" | undefined {
    return this.#state === "too-long" || this.#state === "no-room" ? this.#state : undefined;
  }

  add(chunk: Uint8Array): void {
    this.#length += chunk.length;
    if (this.#state !== "keeps") return;
    if (this.#length > this.#bytesMax) this.#omit("too-long");
    else if (!this.#bytes.add(chunk)) this.#omit("no-room");
  }

  /** The kept bytes. */
  body(): Body {
    return new Body(this.#bytes.bytes.slice());
  }

  /** Frees the copy; the exchange is processed. */
  release(): void {
    this.#bytes.release();
    if (this.#state === "keeps") this.#state = "released";
  }

  #omit(state: "too-long" | "no-room"): void {
    this.#state = state;
    this.#bytes.release();
  }
}
