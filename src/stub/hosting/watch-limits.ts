import type { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import type { JournalLimits } from "../journal/journal.ts";
import type { HostedWorld } from "./hosted-world.ts";

/** Reports the use of limits by worlds. For journals, the fullest one counts, since each has its own limit. */
export function watchLimits(limits: CountedLimits, worlds: ReadonlyMap<string, HostedWorld>): void {
  const ofFullest = (fullness: (journal: HostedWorld["journal"]) => number) => () => {
    let most = 0;
    for (const { journal } of worlds.values()) most = Math.max(most, fullness(journal));
    return most;
  };
  limits.watch("worldsMax", () => worlds.size);
  limits.watch("stateBytesMax", () => archivedSize(worlds));
  limits.watch(
    "journalExchangesMax",
    ofFullest(({ last, dropped }) => last - dropped),
  );
  limits.watch(
    "journalBytesMax",
    ofFullest(({ bytes }) => bytes),
  );
}

/** Characters of the archives of the imported worlds. Each world counts once, not each of its participants. */
export function archivedSize(worlds: ReadonlyMap<string, HostedWorld>): number {
  let sum = 0;
  for (const [id, hosted] of worlds) if (id === hosted.first) sum += hosted.archivedSize;
  return sum;
}

/** The limits of a journal; what it drops is counted. */
export function journalLimitsOf(limits: CountedLimits): JournalLimits {
  return {
    exchangesMax: limits.values.journalExchangesMax,
    bytesMax: limits.values.journalBytesMax,
    onDropped: (exceeded) => limits.exceed(exceeded === "bytes" ? "journalBytesMax" : "journalExchangesMax"),
  };
}
