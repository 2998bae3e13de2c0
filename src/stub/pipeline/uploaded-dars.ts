import { type ReadDar, readDar, readingDar } from "../../daml/archives/dar.ts";
import type { Body } from "../../foundation/http/body.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { CountedLimits } from "../../foundation/limits/counted-limits.ts";

/** The paths of uploads, without the prefix of a world. */
const uploads = /^\/v2\/(?:dars|dars\/validate|packages)(?:\?|$)/;

/** Reads the DARs in request bodies, each once. */
export class UploadedDars {
  readonly #limits: CountedLimits;
  readonly #read = new WeakMap<Body, ReadDar>();

  constructor(limits: CountedLimits) {
    this.#limits = limits;
  }

  /** The DAR in a body. */
  of(body: Body): ReadDar {
    const known = this.#read.get(body) ?? readDar(body.bytes(), this.#limits.values);
    this.#read.set(body, known);
    if (known.type === "refused" && known.limit !== undefined) this.#limits.exceed(known.limit);
    return known;
  }

  /** Whether a request uploads a DAR: reading it before the step that responds lets other requests pass in between. */
  isUpload({ method, target }: Request): boolean {
    return method === "POST" && uploads.test(target);
  }

  /** Reads the DAR in the body of an upload, with a pause after each package. */
  async readAhead(request: Request, pause: () => Promise<void>): Promise<void> {
    if (!this.isUpload(request)) return;
    const { body } = request;
    const reading = readingDar(body.bytes(), this.#limits.values);
    for (;;) {
      const step = reading.next();
      if (step.done === true) {
        this.#read.set(body, step.value);
        return;
      }
      await pause();
    }
  }
}
