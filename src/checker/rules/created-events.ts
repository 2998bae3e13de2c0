import { type CreatedEvent, decodeCreatedEventBlob } from "../../foundation/protobuf/created-event-blob.ts";
import { isIdentifier } from "../../foundation/spec/identifiers.ts";

/** Number of cached blobs. Nearly every lookup discloses the same contracts, such as the registry's rules. */
export const blobsRememberedMax = 500;
/** Length in characters above which a blob is not cached. */
export const blobLengthMax: number = 16 * 1024;

/** The result of decoding a created-event blob. */
export interface BlobReading {
  readonly isBase64: boolean;
  readonly event: CreatedEvent | undefined;
}

/** Decodes created-event blobs and caches the results. */
export class CreatedEvents {
  readonly #readings = new Map<string, BlobReading>();

  read(blob: string): BlobReading {
    const known = this.#readings.get(blob);
    if (known !== undefined) return known;
    const reading = { isBase64: isIdentifier("createdEventBlob", blob), event: decodeCreatedEventBlob(blob) };
    if (blob.length <= blobLengthMax) this.#remember(blob, reading);
    return reading;
  }

  #remember(blob: string, reading: BlobReading): void {
    const oldest = this.#readings.size < blobsRememberedMax ? undefined : this.#readings.keys().next().value;
    if (oldest !== undefined) this.#readings.delete(oldest);
    this.#readings.set(blob, reading);
  }
}
