import type { Body } from "../../foundation/http/body.ts";

/** Characters from which the bytes of a text are cheaper to send than the text, if they are at hand. */
const charactersMin = 4096;

/** The bytes of long texts that are sent again, such as a cached page. They are kept as long as their bodies. */
export class RepeatedBodies {
  /** Undefined for a body that was sent once. */
  readonly #repeated = new WeakMap<Body, Uint8Array | undefined>();

  /** The body to send. A text goes out in one write with the head of its response. */
  contentOf(body: Body): string | Uint8Array {
    if (!body.isText) return body.bytes();
    if (body.storedLength < charactersMin) return body.text();
    const known = this.#repeated.get(body);
    if (known !== undefined) return known;
    const bytes = this.#repeated.has(body) ? body.bytes() : undefined;
    this.#repeated.set(body, bytes);
    return bytes ?? body.text();
  }
}
