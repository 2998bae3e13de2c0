import { Body } from "../../foundation/http/body.ts";
/** Keeps a copy of a forwarded body up to a limit. A longer body is not kept at all, since a part cannot be parsed or redacted. */
export class BodyTap {
  readonly #bytesMax: number;
  #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Number of forwarded bytes. */
  get length(): number {
    return this.#length;
  }

  get isOmitted(): boolean {
    return this.#length > this.#bytesMax;
  }

  add(chunk: Uint8Array): void {
    this.#length += chunk.length;
    if (this.isOmitted) this.#chunks = [];
    else this.#chunks.push(chunk);
  }

  /** The kept bytes. */
  body(): Body {
    return new Body(new Uint8Array(Buffer.concat(this.#chunks)));
  }
}
