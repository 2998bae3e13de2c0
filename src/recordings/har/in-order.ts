import { readTimestamp } from "../../foundation/text/timestamp.ts";
import type { Recorded, RecordingItem } from "./read-recording.ts";

const mebi = 1024 * 1024;
/** Bytes of entries that wait for earlier ones: most exporters write entries almost in order, some the newest first. */
const waitingBytesMax: number = 8 * mebi;
const waitingBytesOfReversedMax: number = 256 * mebi;

interface Waiting {
  readonly item: Recorded;
  readonly start: number;
}

/**
 * The items with their exchanges in the order of their start, as HAR 1.2 requires of readers. Exchanges that start together, or
 * without a time, stay in the order of the file. An item of another type keeps its place between them.
 */
export async function* inOrder(
  items: AsyncIterable<RecordingItem>,
  bytesMax: number = waitingBytesMax,
  bytesOfReversedMax: number = waitingBytesOfReversedMax,
): AsyncGenerator<RecordingItem> {
  let waiting: Waiting[] = [];
  let bytes = 0;
  try {
    for await (const item of items) {
      if (item.type !== "exchange") {
        yield* sorted(waiting);
        [waiting, bytes] = [[], 0];
        yield item;
        continue;
      }
      const { epochMs } = readTimestamp(item.exchange.startedAt);
      waiting.push({ item, start: Number.isNaN(epochMs) ? (waiting.at(-1)?.start ?? 0) : epochMs });
      bytes += item.place.length;
      if (bytes <= (isReversed(waiting) ? bytesOfReversedMax : bytesMax)) continue;
      const half = sorted(waiting).slice(0, Math.ceil(waiting.length / 2));
      yield* half;
      waiting = sortedByStart(waiting).slice(half.length);
      bytes -= half.reduce((sum, { place }) => sum + place.length, 0);
    }
  } catch (error) {
    // What was read before a truncation counts.
    yield* sorted(waiting);
    throw error;
  }
  yield* sorted(waiting);
}

function isReversed(waiting: readonly Waiting[]): boolean {
  return (waiting[0]?.start ?? 0) > (waiting.at(-1)?.start ?? 0);
}

/** The items in order, numbered in order: a missing number still shows a skipped entry. */
function sorted(waiting: readonly Waiting[]): readonly Recorded[] {
  const numbers = waiting.map(({ item }) => item.index).sort((left, right) => left - right);
  return sortedByStart(waiting).map(({ item }, place) => ({ ...item, index: numbers[place] ?? item.index }));
}

function sortedByStart(waiting: readonly Waiting[]): Waiting[] {
  return waiting.toSorted((left, right) => left.start - right.start);
}
