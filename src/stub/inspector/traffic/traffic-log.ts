import type { Traffic, TrafficLine, WorldStatus } from "../parts/control-api.ts";
import { atNumber, indexFrom } from "./index-from.ts";
import { type Facets, facetsWith, noFacets } from "./traffic-filter.ts";

/** The fetched traffic of a world. */
export interface TrafficLog {
  readonly epoch: number;
  readonly revision: number;
  /** All exchanges up to this number are fetched. */
  readonly reached: number;
  readonly lines: readonly TrafficLine[];
  readonly facets: Facets;
}

/** Query parameters of a page of lines. */
export interface PageRequest {
  readonly after: number;
  readonly limit: number;
}

const pageLinesMax = 10_000;
/** Lines that are fetched again with each page, since rules may report findings on earlier exchanges. */
const overlapLines = 100;
/** Lines that are fetched again when the revision changes without new exchanges. */
const reviewedLines = 1_000;

export function emptyLog(epoch: number): TrafficLog {
  return { epoch, revision: -1, reached: 0, lines: [], facets: noFacets };
}

/** The log for a status; empty after a reset of the world. */
export function logFor(log: TrafficLog, seen: WorldStatus): TrafficLog {
  return log.epoch === seen.epoch ? log : emptyLog(seen.epoch);
}

/** The next page to fetch; undefined if the log is up to date. */
export function nextPage({ reached, revision }: TrafficLog, seen: WorldStatus): PageRequest | undefined {
  if (reached < seen.last) return { after: Math.max(0, reached - overlapLines), limit: pageLinesMax };
  if (revision === seen.revision) return undefined;
  return { after: Math.max(0, reached - reviewedLines), limit: pageLinesMax };
}

/** Adds a page that was requested for the status `seen`. A page of a restarted stub empties the log. */
export function withPage(log: TrafficLog, page: Traffic, seen: WorldStatus): TrafficLog {
  if (isFromRestartedStub(log, page)) return emptyLog(log.epoch);
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

/** A restarted stub has lower numbers, or the same numbers with other start times. */
function isFromRestartedStub({ lines }: TrafficLog, page: Traffic): boolean {
  if (page.last < (lines.at(-1)?.number ?? 0)) return true;
  const given = page.lines[0];
  const known = given === undefined ? undefined : atNumber(lines, given.number);
  return known !== undefined && known.startedAt !== given?.startedAt;
}
