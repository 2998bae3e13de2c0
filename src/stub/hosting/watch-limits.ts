import type { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import type { JournalLimits } from "../journal/journal.ts";
import { sourceBytes } from "../stores/state-source.ts";
import type { HostedWorld } from "./hosted-world.ts";

/** Reports the use of limits by worlds. For journals, the fullest one counts, since each has its own limit. */
export function watchLimits(limits: CountedLimits, worlds: ReadonlyMap<string, HostedWorld>): void {
  const ofFullest = (fullness: (journal: HostedWorld["journal"]) => number) => () => {
    let most = 0;
    for (const { journal } of worlds.values()) most = Math.max(most, fullness(journal));
    return most;
  };
  limits.watch("worldsMax", () => worlds.size);
  limits.watch("stateBytesMax", () => sourceBytes(worlds.values()));
  limits.watch(
    "journalExchangesMax",
    ofFullest(({ last, dropped }) => last - dropped),
  );
  limits.watch(
    "journalBytesMax",
    ofFullest(({ bytes }) => bytes),
  );
}

/** The limits of a journal; what it drops is counted. */
export function journalLimitsOf(limits: CountedLimits): JournalLimits {
  return {
    exchangesMax: limits.values.journalExchangesMax,
    bytesMax: limits.values.journalBytesMax,
    onDropped: (exceeded) => limits.exceed(exceeded === "bytes" ? "journalBytesMax" : "journalExchangesMax"),
  };
}
