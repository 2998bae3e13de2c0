import type { Exchange } from "../../foundation/http/exchange.ts";
import type { AttachedFiles } from "../har/attached-files.ts";
import { type EntryPlace, exchangeAgain } from "../har/read-recording.ts";
import type { RecordingIndex } from "./recording-index.ts";
import type { RequestShape, ShapeReader } from "./request-shape.ts";

/** Reads the bytes at a position of the recording. Rejects if they are not readable any more. */
export type ReadPlace = (place: EntryPlace) => Promise<Uint8Array>;

/** The file has changed since it was indexed. */
export class RecordingChanged extends Error {
  constructor() {
    super("the recording has changed since it was read");
    this.name = "RecordingChanged";
  }
}

/** An exchange that was read again, with the shape of its request. */
export interface RecordedAgain {
  readonly exchange: Exchange;
  readonly shape: RequestShape;
}

interface RecordingSource {
  readonly index: RecordingIndex;
  readonly read: ReadPlace;
  readonly shapes: ShapeReader;
  /** The files beside the recording. */
  readonly attached?: AttachedFiles | undefined;
}

/** Reads an exchange again. Rejects with RecordingChanged if its position contains another one. */
export async function readAgain(
  entry: number,
  { index, read, shapes, attached }: RecordingSource,
): Promise<RecordedAgain> {
  const place = index.place(entry);
  const exchange = exchangeAgain(await read(place), place, attached);
  if (exchange === undefined) throw new RecordingChanged();
  const shape = shapes.read(exchange.request);
  if (shape.digest !== index.digest(entry)) throw new RecordingChanged();
  return { exchange, shape };
}
