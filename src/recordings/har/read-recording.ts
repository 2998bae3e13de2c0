import type { Exchange } from "../../foundation/http/exchange.ts";
import { isJsonObject, type Json } from "../../foundation/json/json.ts";
import { type AttachedFiles, withAttached } from "./attached-files.ts";
import { type CutEntry, EntryCutter, entryValue, type RecordingProblem, type SkippedEntry } from "./entry-cutter.ts";
import { isPostmanCollection, postmanExchanges } from "./postman-collection.ts";
import { entryExchange, recordedExchange, within } from "./recorded-exchange.ts";
import { BeyondLimit, type RecordingLimits, recordingLimits } from "./recording-limits.ts";

/** An exchange of a recording; `index` counts the entries from 0, skipped ones included. */
export interface Recorded {
  readonly type: "exchange";
  readonly index: number;
  readonly exchange: Exchange;
  readonly place: EntryPlace;
}

/** The position of an entry in its file, and whether it is in the `log.entries` of a HAR. */
export interface EntryPlace {
  readonly byte: number;
  readonly length: number;
  readonly isInLog: boolean;
  /** Index of the exchange in a Postman collection; 0 in other formats. */
  readonly part: number;
}

/** An item of a recording: an exchange, an entry that exceeds a limit, or the problem that ends it. */
export type RecordingItem = Recorded | SkippedEntry | RecordingProblem;

interface ReadOptions {
  /** Unwanted entries are omitted; asked with the first byte of each. */
  readonly isWanted?: ((byte: number) => boolean) | undefined;
  readonly limits?: RecordingLimits;
  /** The number of bytes that the chunks of a part of a file lack before the entries. */
  readonly omittedBytes?: number;
  /** The files beside the recording. */
  readonly attached?: AttachedFiles | undefined;
  /** Receives the number of requests of a Postman collection that have no saved response. */
  readonly onNotSaved?: ((requests: number) => void) | undefined;
}

interface Reading extends Pick<ReadOptions, "attached" | "onNotSaved"> {
  readonly limits: RecordingLimits;
}

/**
 * Reads a recording of any size in bounded memory: HAR 1.2 with an entry on each line or in any other layout, a list or lines
 * of entries, handwritten exchanges, or a Postman collection with saved responses. An entry whose content exceeds a limit is
 * an item of its own. A problem is the last item: reading ends there, also in the middle of the chunks. All items before it
 * are complete.
 */
export async function* readRecording(
  chunks: AsyncIterable<Uint8Array>,
  { isWanted = () => true, limits = recordingLimits, omittedBytes = 0, attached, onNotSaved }: ReadOptions = {},
): AsyncGenerator<RecordingItem> {
  const reading = { limits, attached, onNotSaved };
  const cutter = new EntryCutter(isWanted, limits, omittedBytes);
  for await (const chunk of chunks)
    for (const cut of cutter.push(chunk))
      for (const item of cut.type === "entry" ? itemsOf(cut, reading) : [cut]) {
        yield item;
        if (item.type === "invalid") return;
      }
  const found = cutter.end();
  if (found !== undefined) yield found;
}

/** The exchanges of an entry. A Postman collection is a single entry, so shards do not split it. */
function itemsOf(cut: CutEntry, reading: Reading): readonly RecordingItem[] {
  const { value, isInLog, isListed, index, line, byte, length } = cut;
  const invalid = (problem: string) => [{ type: "invalid", problem, entries: index, line, byte } as const];
  const exchanges = exchangesWithin(value, isInLog, reading);
  if (exchanges instanceof BeyondLimit)
    return [{ type: "skipped", problem: exchanges.message, index, line, byte, length }];
  if (exchanges === undefined)
    return invalid(isListed ? "an element of its list is not a HAR entry" : "it has no log.entries");
  if (exchanges.length === 0) return invalid("it is a Postman collection without saved responses");
  return exchanges.map((exchange, part) => ({
    type: "exchange",
    index: index + part,
    exchange,
    place: { byte, length, isInLog, part },
  }));
}

/** The exchanges of a value, or the limit that one of them exceeds. */
function exchangesWithin(
  value: Json,
  isInLog: boolean,
  reading: Reading,
): readonly Exchange[] | BeyondLimit | undefined {
  try {
    return exchangesOf(value, isInLog, reading);
  } catch (error) {
    if (error instanceof BeyondLimit) return error;
    throw error;
  }
}

/** The exchanges of a value: several for a collection, one otherwise; undefined if the value is not an exchange. */
function exchangesOf(
  given: Json,
  isInLog: boolean,
  { limits, attached, onNotSaved }: Reading,
): readonly Exchange[] | undefined {
  const value = attached !== undefined && isJsonObject(given) ? withAttached(given, attached) : given;
  // The API of Postman wraps a collection in an object.
  const collection = isJsonObject(value) ? (value["collection"] ?? value) : value;
  if (!isInLog && isPostmanCollection(collection))
    return postmanExchanges(collection, onNotSaved).map((exchange) => within(exchange, limits));
  const exchange = isInLog && isJsonObject(value) ? entryExchange(value, limits) : recordedExchange(value, limits);
  return exchange === undefined ? undefined : [exchange];
}

/** Reads an exchange again from its position; undefined if the position does not contain one any more. */
export function exchangeAgain(
  bytes: Uint8Array,
  { isInLog, part }: EntryPlace,
  attached?: AttachedFiles,
): Exchange | undefined {
  const value = entryValue(new TextDecoder().decode(bytes), isInLog);
  const exchanges =
    value === undefined ? undefined : exchangesWithin(value, isInLog, { limits: recordingLimits, attached });
  return exchanges instanceof BeyondLimit ? undefined : exchanges?.[part];
}
