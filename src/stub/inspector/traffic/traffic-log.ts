import type { Traffic, TrafficLine, WorldStatus } from "../parts/control-api.ts";
import { atNumber, indexFrom } from "./index-from.ts";
import { type Facets, facetsWith, noFacets } from "./traffic-filter.ts";

/** What the page knows of a world's traffic. */
export interface TrafficLog {
  readonly epoch: number;
  readonly revision: number;
  /** The number of the exchange up to which everything has been asked for. */
  readonly reached: number;
  readonly lines: readonly TrafficLine[];
  readonly facets: Facets;
}

/** Lines that come with a question, to be asked for. */
export interface PageRequested {
  readonly after: number;
  readonly limit: number;
}

export const pageLinesMax = 10_000;
/** Rules that look at several exchanges speak of earlier ones: so many are asked for again with every page … */
const overlapLines = 100;
/** … and so many when something changed and nothing was added. */
const reviewedLines = 1_000;

export function emptyLog(epoch: number): TrafficLog {
  return { epoch, revision: -1, reached: 0, lines: [], facets: noFacets };
}

/** A log that fits what the stub tells: what was known of a world before its reset is forgotten. */
export function logFor(log: TrafficLog, seen: WorldStatus): TrafficLog {
  return log.epoch === seen.epoch ? log : emptyLog(seen.epoch);
}

/** What to ask for next; undefined when the log has all that the stub told of. */
export function nextPage({ reached, revision }: TrafficLog, seen: WorldStatus): PageRequested | undefined {
  if (reached < seen.last) return { after: Math.max(0, reached - overlapLines), limit: pageLinesMax };
  if (revision === seen.revision) return undefined;
  return { after: Math.max(0, reached - reviewedLines), limit: pageLinesMax };
}

/** The log with a page that was asked for when the stub had told `seen`. A page of another world with the same numbers starts the log anew. */
export function withPage(log: TrafficLog, page: Traffic, seen: WorldStatus): TrafficLog {
  if (isOfOther(log, page)) return emptyLog(log.epoch);
  const isWhole = page.lines.length < pageLinesMax;
  const from = page.lines[0]?.number ?? 0;
  const to = page.lines.at(-1)?.number ?? 0;
  const there = log.lines.slice(indexFrom(log.lines, page.first));
  const before = page.lines.length === 0 ? there : there.slice(0, indexFrom(there, from));
  const after = page.lines.length === 0 ? [] : there.slice(indexFrom(there, to + 1));
  return {
    epoch: log.epoch,
    revision: isWhole ? seen.revision : log.revision,
    reached: isWhole ? Math.max(seen.last, to) : to,
    lines: before.concat(page.lines, after),
    facets: facetsWith(log.facets, page.lines),
  };
}

/** A stub that was started again counts from the same numbers, but not at the same time; and numbers never fall. */
function isOfOther({ lines }: TrafficLog, page: Traffic): boolean {
  if (page.last < (lines.at(-1)?.number ?? 0)) return true;
  const given = page.lines[0];
  const known = given === undefined ? undefined : atNumber(lines, given.number);
  return known !== undefined && known.startedAt !== given?.startedAt;
}
