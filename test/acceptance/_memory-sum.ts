import type { LimitValues } from "../../src/foundation/limits/limits.ts";

const [kibi, mebi] = [1024, 1024 * 1024];

/** The memory of a stub by part, as docs/limits.md states it, in bytes. */
export function memoryParts(limits: LimitValues, worlds: number): Readonly<Record<string, number>> {
  return {
    "the program": 140 * mebi,
    connections: 28 * kibi * limits.connectionsMax,
    "requests and responses in progress": 2 * limits.bufferedBytesMax,
    "event streams": limits.eventStreamsMax * limits.eventBytesMax,
    journals: 2 * limits.journalBytesMax * worlds,
  };
}

/** The sum of all parts, in bytes. */
export function memorySum(limits: LimitValues, worlds: number): number {
  return Object.values(memoryParts(limits, worlds)).reduce((sum, bytes) => sum + bytes, 0);
}

/** The memory of the process: what it holds, and as much that waits to be freed. */
export function processMemory(sum: number): number {
  return 2 * sum;
}
