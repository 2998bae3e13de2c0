import type { Exchange } from "../http/exchange.ts";
import { isJsonObject, type Json, jsonOf } from "../http/json.ts";
import { type CutEntry, EntryCutter, type RecordingMistake } from "./entry-cutter.ts";
import { entryExchange, recordedExchange } from "./recorded-exchange.ts";

/** An exchange of a recording; `index` counts the entries from 0, those that were stepped over included. */
export interface Recorded {
  readonly type: "exchange";
  readonly index: number;
  readonly exchange: Exchange;
  readonly place: EntryPlace;
}

/** Where an entry stands in its file, and whether in the entries of a HAR. */
export interface EntryPlace {
  readonly byte: number;
  readonly length: number;
  readonly isInLog: boolean;
}

/**
 * Reads a recording of any size in constant memory: HAR 1.2 with an entry on each line or in any other layout, lines of
 * entries, or exchanges noted by hand. A mistake is the last that comes; what stands before it is whole.
 * Entries that are not wanted are stepped over.
 */
export async function* readRecording(
  chunks: AsyncIterable<Uint8Array>,
  isWanted: (index: number) => boolean = () => true,
): AsyncGenerator<Recorded | RecordingMistake> {
  const cutter = new EntryCutter(isWanted);
  for await (const chunk of chunks)
    for (const cut of cutter.push(chunk)) {
      const recorded = cut.type === "entry" ? recordedOf(cut) : cut;
      yield recorded;
      if (recorded.type === "mistaken") return;
    }
  const mistake = cutter.end();
  if (mistake !== undefined) yield mistake;
}

function recordedOf({ value, isInLog, index, line, byte, end }: CutEntry): Recorded | RecordingMistake {
  const exchange = exchangeOf(value, isInLog);
  if (exchange !== undefined)
    return { type: "exchange", index, exchange, place: { byte, length: end - byte, isInLog } };
  return { type: "mistaken", problem: "it has no log.entries", entries: index, line, byte };
}

function exchangeOf(value: Json, isInLog: boolean): Exchange | undefined {
  return isInLog && isJsonObject(value) ? entryExchange(value) : recordedExchange(value);
}

/** The exchange of an entry that is read again from its place; undefined where none stands there any more. */
export function exchangeAgain(bytes: Uint8Array, { isInLog }: EntryPlace): Exchange | undefined {
  const value = jsonOf(new TextDecoder().decode(bytes));
  return value === undefined ? undefined : exchangeOf(value, isInLog);
}
