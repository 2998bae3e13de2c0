import type { ShardReport, SizedRecording } from "../../../checker/reports/report.ts";
import type { FilePart } from "../files/recording-part.ts";

/**
 * Bytes before each part that its shard reads too, so that trace rules know the state in which the part begins: about 500
 * exchanges. No part of a file is smaller.
 */
export const bytesBefore: number = 2 * 1024 * 1024;
/** Bytes of a part of a stream, whose size is unknown. */
const partOfStreamBytes = 32 * 1024 * 1024;

/** One of several checks that divide the recordings among them; `part` counts from 0. */
export interface Shard {
  readonly part: number;
  readonly parts: number;
}

/** The shard member of a report; empty for a check of everything. `recordings` is absent for a live target. */
export function shardInReport(
  shard: Shard | undefined,
  recordings?: readonly SizedRecording[],
): { readonly shard?: ShardReport } {
  if (shard === undefined) return {};
  return {
    shard: { index: shard.part + 1, of: shard.parts, ...(recordings === undefined ? {} : { recordings }) },
  };
}

/** What a shard checks of a file. An entry belongs to the part in which its first byte is. */
interface ShardPart extends FilePart {
  isOwn(byte: number): boolean;
  /** Whether the shard reads an entry: one of its own, or one shortly before a part of its own. */
  isRead(byte: number): boolean;
}

/**
 * What a shard has of the file with the index `file`: one part of a file of known size, and every nth part of a stream.
 * Undefined if all parts of the file belong to other shards.
 */
export function partOfFile({ part, parts }: Shard, file: number, size: number | undefined): ShardPart | undefined {
  const partBytes = size === undefined ? partOfStreamBytes : Math.max(bytesBefore, Math.ceil(size / parts));
  const last = size === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Math.ceil(size / partBytes) - 1);
  const own = (((part - file) % parts) + parts) % parts;
  if (own > last) return undefined;
  const isOwn = (byte: number) => Math.min(last, Math.floor(byte / partBytes)) % parts === own;
  const begin = own * partBytes;
  return {
    from: Math.max(0, begin - bytesBefore),
    begin,
    end: own < last && size !== undefined ? begin + partBytes : Number.POSITIVE_INFINITY,
    isOwn,
    isRead: (byte) => isOwn(byte) || isOwn(byte + bytesBefore),
  };
}
