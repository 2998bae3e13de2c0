import type { Exchange } from "../../foundation/http/exchange.ts";
import { type EntryPlace, exchangeAgain } from "../har/read-recording.ts";
import type { RecordingIndex } from "./recording-index.ts";
import type { RequestShape, ShapeReader } from "./request-shape.ts";

/** The bytes at a place of the recording. Rejects where they cannot be had any more. */
export type ReadPlace = (place: EntryPlace) => Promise<Uint8Array>;

/** The file is no longer what was indexed. */
export class RecordingChanged extends Error {
  constructor() {
    super("the recording has changed since it was read");
    this.name = "RecordingChanged";
  }
}

/** An exchange of the recording as it was read again. */
export interface RecordedAgain {
  readonly exchange: Exchange;
  readonly shape: RequestShape;
}

/** Reads an exchange again; rejects with RecordingChanged where another stands in its place. */
export async function readAgain(
  entry: number,
  { index, read, shapes }: { readonly index: RecordingIndex; readonly read: ReadPlace; readonly shapes: ShapeReader },
): Promise<RecordedAgain> {
  const place = index.place(entry);
  const exchange = exchangeAgain(await read(place), place);
  if (exchange === undefined) throw new RecordingChanged();
  const shape = shapes.read(exchange.request);
  if (shape.digest !== index.digest(entry)) throw new RecordingChanged();
  return { exchange, shape };
}
