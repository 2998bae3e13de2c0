/** Keeps a body that passes, up to a bound. Beyond the bound nothing of it is kept: a part could be neither read nor redacted. */
export class BodyTap {
  readonly #bytesMax: number;
  #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes that passed. */
  get length(): number {
    return this.#length;
  }

  get isLeftOut(): boolean {
    return this.#length > this.#bytesMax;
  }

  add(chunk: Uint8Array): void {
    this.#length += chunk.length;
    if (this.isLeftOut) this.#chunks = [];
    else this.#chunks.push(chunk);
  }

  /** What was kept. */
  body(): Uint8Array {
    return new Uint8Array(Buffer.concat(this.#chunks));
  }
}
