import type { Exchange } from "../http/exchange.ts";
import { isJsonObject } from "../http/json.ts";
import { type CutEntry, EntryCutter, type RecordingMistake } from "./entry-cutter.ts";
import { isPostmanCollection, postmanExchanges } from "./postman-collection.ts";
import { entryExchange, recordedExchange } from "./recorded-exchange.ts";

/** An exchange of a recording; `index` counts the entries from 0, those that were stepped over included. */
export interface Recorded {
  readonly type: "exchange";
  readonly index: number;
  readonly exchange: Exchange;
}

/**
 * Reads a recording of any size in constant memory: HAR 1.2 with an entry on each line or in any other layout, a list or lines
 * of entries, exchanges noted by hand, or a collection of Postman with saved answers. A mistake is the last that comes; what
 * stands before it is whole.
 * Entries that are not wanted are stepped over.
 */
export async function* readRecording(
  chunks: AsyncIterable<Uint8Array>,
  isWanted: (index: number) => boolean = () => true,
): AsyncGenerator<Recorded | RecordingMistake> {
  const cutter = new EntryCutter(isWanted);
  for await (const chunk of chunks)
    for (const cut of cutter.push(chunk))
      for (const recorded of cut.type === "entry" ? recordedIn(cut) : [cut]) {
        yield recorded;
        if (recorded.type === "mistaken") return;
      }
  const mistake = cutter.end();
  if (mistake !== undefined) yield mistake;
}

/** A collection is one value in the file, so no shard parts it. */
function recordedIn({
  value,
  isInLog,
  isListed,
  index,
  line,
  byte,
}: CutEntry): readonly (Recorded | RecordingMistake)[] {
  const mistaken = (problem: string) => [{ type: "mistaken", problem, entries: index, line, byte } as const];
  if (!isInLog && isPostmanCollection(value)) {
    const exchanges = postmanExchanges(value);
    if (exchanges.length === 0) return mistaken("it is a Postman collection without saved answers");
    return exchanges.map((exchange, place) => ({ type: "exchange", index: index + place, exchange }));
  }
  const exchange = isInLog && isJsonObject(value) ? entryExchange(value) : recordedExchange(value);
  if (exchange !== undefined) return [{ type: "exchange", index, exchange }];
  return mistaken(isListed ? "an element of its list is no entry of a HAR" : "it has no log.entries");
}
