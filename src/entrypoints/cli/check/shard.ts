import type { ShardReport, SizedRecording } from "../../../checker/reports/report.ts";
import type { FilePart } from "../files/recording-part.ts";
import type { Environment, Options } from "../options.ts";
import { UserError } from "../user-error.ts";

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

/** The variable that a Kubernetes Job with `completionMode: Indexed` sets, from 0. */
const indexVariable = "JOB_COMPLETION_INDEX";

/** Reads `--shard 2/4`, or `--shard auto/4` with the part from the environment. Throws a UserError for anything else. */
export function shardOf(
  options: Pick<Options, "text">,
  { variables }: Pick<Environment, "variables">,
): Shard | undefined {
  const text = options.text("shard");
  if (text === undefined) return undefined;
  const [, part = "", total] = /^(auto|\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const parts = Number(total);
  const index = part === "auto" ? indexIn(variables, text, parts) : Number(part) - 1;
  if (index >= 0 && index < parts) return { part: index, parts };
  throw new UserError(`--shard ${text}: not a valid shard. Use 1/4 to 4/4 for four shards.`);
}

function indexIn(variables: Environment["variables"], text: string, parts: number): number {
  const index = variables[indexVariable] ?? "";
  const isNumber = /^\d{1,6}$/.test(index);
  if (isNumber && Number(index) < parts) return Number(index);
  const value =
    index === ""
      ? "not set"
      : isNumber
        ? `${index}, and ${parts - 1} is the last of ${parts} parts`
        : `${index}, not a number`;
  throw new UserError(
    `--shard ${text}: ${indexVariable} is ${value}. A Kubernetes Job with completionMode: Indexed sets it, from 0.`,
  );
}

/** The flag of the shard, by its name, with the part as a number. */
export function shardFlag(shard: Shard | undefined): Readonly<Record<string, string>> {
  return shard === undefined ? {} : { shard: `${shard.part + 1}/${shard.parts}` };
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
