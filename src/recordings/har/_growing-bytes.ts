/** Bytes in one buffer that doubles when it is full, so that adding many small parts takes linear time and memory. */
export class GrowingBytes {
  #buffer = new Uint8Array();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Size of the buffer in bytes. */
  get capacity(): number {
    return this.#buffer.length;
  }

  /** Appends a copy. */
  append(part: Uint8Array): void {
    const length = this.#length + part.length;
    if (length > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(length, 2 * this.#buffer.length));
      grown.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = grown;
    }
    this.#buffer.set(part, this.#length);
    this.#length = length;
  }

  /** The bytes so far. They share the buffer. */
  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }
}
