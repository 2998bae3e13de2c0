import { type CreatedEvent, decodeCreatedEventBlob } from "../../foundation/protobuf/created-event-blob.ts";
import { isIdentifier } from "../../foundation/spec/identifiers.ts";

/** The result of decoding a created-event blob. */
export interface BlobReading {
  readonly isBase64: boolean;
  readonly event: CreatedEvent | undefined;
}

export function readBlob(blob: string): BlobReading {
  return { isBase64: isIdentifier("createdEventBlob", blob), event: decodeCreatedEventBlob(blob) };
}
