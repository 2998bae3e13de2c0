/** The bytes that a server holds for all its connections, against one limit. */
export class HeldBytes {
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether more bytes are held than the limit allows. Bytes that already exist are added, also beyond the limit. */
  get isExceeded(): boolean {
    return this.#bytes > this.#bytesMax;
  }

  /** Takes bytes within the limit; false, without taking any, if they exceed it. */
  reserve(bytes: number): boolean {
    if (this.#bytes + bytes > this.#bytesMax) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Counts bytes that exist already. */
  add(bytes: number): void {
    this.#bytes += bytes;
  }

  release(bytes: number): void {
    this.#bytes -= bytes;
  }
}
