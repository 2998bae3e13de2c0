import type { ShardReport } from "../../../checker/reports/report.ts";
import { UserError } from "../user-error.ts";

/** Consecutive entries that stay in one shard. A trace rule sees at most these, and those before them, at once. */
const blockEntries = 5000;
/** Entries before each block that its shard reads too, so that trace rules know the state in which the block begins. */
const entriesBefore = 250;

/** One of several checks that divide the recordings among them; `part` counts from 0. */
export interface Shard {
  readonly part: number;
  readonly parts: number;
}

/** Reads `2/4`. Throws a UserError for anything else. */
export function shardOf(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined;
  const [, part, parts] = /^(\d{1,6})\/(\d{1,6})$/.exec(text)?.map(Number) ?? [];
  if (part === undefined || parts === undefined || part < 1 || part > parts)
    throw new UserError(`--shard ${text}: not a valid shard. Use 1/4 to 4/4 for four shards.`);
  return { part: part - 1, parts };
}

/** The shard member of a report; empty for a check of everything. */
export function shardInReport(shard: Shard | undefined): { readonly shard?: ShardReport } {
  return shard === undefined ? {} : { shard: { index: shard.part + 1, of: shard.parts } };
}

/** Whether an entry of the file with the index `file` belongs to the shard. Without a shard all entries do. */
export function isInShard(shard: Shard | undefined, file: number, entry: number): boolean {
  return shard === undefined || (file + Math.floor(entry / blockEntries)) % shard.parts === shard.part;
}

/** Whether the shard reads an entry: one of its own, or one before a block of its own. */
export function isReadBy(shard: Shard | undefined, file: number, entry: number): boolean {
  return isInShard(shard, file, entry) || isInShard(shard, file, entry + entriesBefore);
}
