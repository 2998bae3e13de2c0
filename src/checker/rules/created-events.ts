import { type CreatedEvent, decodeCreatedEventBlob } from "../../foundation/protobuf/created-event-blob.ts";
import { isIdentifier } from "../../foundation/spec/identifiers.ts";

/** Blobs that are remembered; contracts such as a registry's rules are disclosed in nearly every response. */
export const blobsRememberedMax = 500;
/** A longer blob is read each time anew. */
export const blobLengthMax: number = 16 * 1024;

/** What a created-event blob turned out to be. */
export interface BlobReading {
  readonly isBase64: boolean;
  readonly event: CreatedEvent | undefined;
}

/** Reads created-event blobs, and those that come again only once. */
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
