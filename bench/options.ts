import { parseArgs } from "node:util";
import { type Effort, quickEffort, wholeEffort } from "./plan.ts";

export interface BenchOptions {
  /** Names of cases. */
  readonly only: readonly string[];
  readonly hasPeers: boolean;
  /** Another checkout, measured beside this one. */
  readonly against: string | undefined;
  readonly effort: Effort;
  /** Whether docs/performance.md gets the results. */
  readonly isWritten: boolean;
  readonly isHelp: boolean;
}

/** Parses the command line. Throws for an unknown flag or case. */
export function readOptions(words: readonly string[], known: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...words],
    options: {
      only: { type: "string" },
      against: { type: "string" },
      rounds: { type: "string" },
      quick: { type: "boolean", default: false },
      "no-peers": { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const effort = values.quick ? quickEffort : wholeEffort;
  const only = values.only?.split(",") ?? known;
  const unknown = only.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`--only: unknown case ${unknown}. Use ${known.join(", ")}.`);
  const rounds = Number(values.rounds ?? effort.rounds);
  if (!(Number.isInteger(rounds) && rounds > 0)) throw new Error(`--rounds ${values.rounds}: use an integer above 0.`);
  return {
    only,
    hasPeers: !values["no-peers"],
    against: values.against,
    effort: { ...effort, rounds },
    isWritten: values.write,
    isHelp: values.help,
  };
}

export function help(known: readonly string[]): string {
  return `Usage: npm run bench -- [flags]

Measures Understudy beside a bare server and its peers, and prints tables.

  --quick        less of everything
  --only A,B     of ${known.join(", ")}
  --no-peers     without the other mock servers
  --against DIR  another checkout of Understudy beside this one, in the column "before"
  --rounds N     rounds of load; each server has its turn in each
  --write        replace the tables in docs/performance.md`;
}
