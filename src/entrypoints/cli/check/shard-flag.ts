import type { Shard } from "../../programs/check/shard.ts";
import { UserError } from "../../programs/user-error.ts";
import type { Environment, Options } from "../options.ts";

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
