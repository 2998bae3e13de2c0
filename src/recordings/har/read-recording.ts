import type { Exchange } from "../../foundation/http/exchange.ts";
import { isJsonObject, type Json } from "../../foundation/json/json.ts";
import { type CutEntry, EntryCutter, entryValue, type RecordingProblem } from "./entry-cutter.ts";
import { isPostmanCollection, postmanExchanges } from "./postman-collection.ts";
import { entryExchange, recordedExchange } from "./recorded-exchange.ts";

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

/**
 * Reads a recording of any size in constant memory: HAR 1.2 with an entry on each line or in any other layout, a list or lines
 * of entries, handwritten exchanges, or a Postman collection with saved responses. A problem is the last item; all items
 * before it are complete.
 * Unwanted entries are skipped.
 */
export async function* readRecording(
  chunks: AsyncIterable<Uint8Array>,
  isWanted: (index: number) => boolean = () => true,
): AsyncGenerator<Recorded | RecordingProblem> {
  const cutter = new EntryCutter(isWanted);
  for await (const chunk of chunks)
    for (const cut of cutter.push(chunk))
      for (const recorded of cut.type === "entry" ? recordedIn(cut) : [cut]) {
        yield recorded;
        if (recorded.type === "invalid") return;
      }
  const found = cutter.end();
  if (found !== undefined) yield found;
}

/** The exchanges of an entry. A Postman collection is a single entry, so shards do not split it. */
function recordedIn(cut: CutEntry): readonly (Recorded | RecordingProblem)[] {
  const { value, isInLog, isListed, index, line, byte, length } = cut;
  const invalid = (problem: string) => [{ type: "invalid", problem, entries: index, line, byte } as const];
  const exchanges = exchangesOf(value, isInLog);
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

/** The exchanges of a value: several for a collection, one otherwise; undefined if the value is not an exchange. */
function exchangesOf(value: Json, isInLog: boolean): readonly Exchange[] | undefined {
  if (!isInLog && isPostmanCollection(value)) return postmanExchanges(value);
  const exchange = isInLog && isJsonObject(value) ? entryExchange(value) : recordedExchange(value);
  return exchange === undefined ? undefined : [exchange];
}

/** Reads an exchange again from its position; undefined if the position does not contain one any more. */
export function exchangeAgain(bytes: Uint8Array, { isInLog, part }: EntryPlace): Exchange | undefined {
  const value = entryValue(new TextDecoder().decode(bytes), isInLog);
  return value === undefined ? undefined : exchangesOf(value, isInLog)?.[part];
}
