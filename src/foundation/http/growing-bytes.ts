/** An allowance of bytes. */
export interface ByteBudget {
  /** Takes bytes from the budget; false, without taking any, if too few are left. */
  reserve(bytes: number): boolean;
  release(bytes: number): void;
}

const firstBytes = 1024;

/**
 * A body that arrives in parts, copied into one buffer. The buffer doubles when it is full, so memory follows the size of
 * the body and not the number of its parts. It counts against a budget until `release`.
 */
export class GrowingBytes {
  readonly #budget: ByteBudget;
  readonly #bytesMax: number;
  #buffer = new Uint8Array(0);
  #length = 0;

  /** `bytesMax` is the size that the body will not exceed. */
  constructor(budget: ByteBudget, bytesMax: number) {
    this.#budget = budget;
    this.#bytesMax = bytesMax;
  }

  /** Adds a copy of a part; returns false, and adds nothing, if the budget is exhausted. */
  add(part: Uint8Array): boolean {
    const length = this.#length + part.length;
    if (length > this.#buffer.length && !this.#grow(length)) return false;
    this.#buffer.set(part, this.#length);
    this.#length = length;
    return true;
  }

  /** The bytes, without a copy. They are valid until `add` or `release`. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Frees the buffer at once, without waiting for garbage collection. */
  release(): void {
    this.#budget.release(this.#buffer.length);
    this.#replace(new Uint8Array(0));
    this.#length = 0;
  }

  #grow(length: number): boolean {
    const doubled = Math.max(firstBytes, 2 * this.#buffer.length);
    const capacity = Math.max(length, Math.min(doubled, this.#bytesMax));
    if (!this.#budget.reserve(capacity - this.#buffer.length)) return false;
    const larger = new Uint8Array(capacity);
    larger.set(this.bytes);
    this.#replace(larger);
    return true;
  }

  #replace(buffer: Uint8Array<ArrayBuffer>): void {
    // Moving the bytes to an empty buffer frees them; the garbage collector may run much later.
    this.#buffer.buffer.transfer(0);
    this.#buffer = buffer;
  }
}
