import { parseArgs } from "node:util";
import { UserError } from "../src/entrypoints/cli/user-error.ts";
import { advise } from "../src/foundation/text/suggestion.ts";
import { type Effort, quickEffort, wholeEffort } from "./plan.ts";

export interface BenchOptions {
  /** Names of cases. */
  readonly only: readonly string[];
  /** Names of servers. */
  readonly servers: readonly string[];
  readonly effort: Effort;
  /** Whether the run measures everything with the default options, so that docs/performance.md may show it. */
  readonly isWhole: boolean;
  readonly isHelp: boolean;
}

/** The available cases and servers. */
export interface Known {
  readonly cases: readonly string[];
  readonly servers: readonly string[];
}

const flags = ["rounds", "seconds", "only", "servers", "quick", "help"];

/** Parses the command line. Throws a UserError that suggests the nearest name for an unknown one. */
export function readBenchOptions(words: readonly string[], known: Known): BenchOptions {
  const { values, positionals, tokens } = parseArgs({
    args: [...words],
    options: {
      rounds: { type: "string" },
      seconds: { type: "string" },
      only: { type: "string" },
      servers: { type: "string" },
      quick: { type: "boolean" },
      help: { type: "boolean" },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens)
    if (token.kind === "option" && !flags.includes(token.name))
      throw new UserError(`unknown flag --${token.name}. ${advise(token.name, flags)}`);
  if (positionals.length > 0)
    throw new UserError(`Unexpected argument ${JSON.stringify(positionals[0])}. Use flags only.`);
  const effort = values.quick === true ? quickEffort : wholeEffort;
  const [rounds, seconds] = [number("rounds", values.rounds, effort), number("seconds", values.seconds, effort)];
  return {
    only: names("only", values.only, known.cases),
    servers: names("servers", values.servers, known.servers),
    effort: { ...effort, rounds, seconds },
    isWhole: values.quick !== true && values.only === undefined && values.servers === undefined,
    isHelp: values.help === true,
  };
}

function names(flag: string, value: string | boolean | undefined, known: readonly string[]): readonly string[] {
  if (value === undefined) return known;
  const requested = String(value)
    .split(",")
    .map((name) => name.trim());
  const unknown = requested.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UserError(`--${flag}: unknown value ${unknown}. ${advise(unknown, known)}`);
  return known.filter((name) => requested.includes(name));
}

function number(flag: "rounds" | "seconds", value: string | boolean | undefined, effort: Effort): number {
  if (value === undefined) return effort[flag];
  const found = Number(value);
  if (!/^[1-9]\d{0,2}$/.test(String(value)))
    throw new UserError(`--${flag} ${value}: not a valid number. Use 1 to 999.`);
  return found;
}

export function help({ cases, servers }: Known): string {
  return [
    "Usage: npm run bench -- [flags]",
    "",
    "Measures Understudy beside a bare server and its peers, and writes bench/results.",
    "",
    "  --quick         less of everything: about five minutes instead of twenty-five",
    "  --rounds N      rounds of load; each server has its turn in each",
    "  --seconds N     length of a turn",
    `  --only A,B      of ${cases.join(", ")}`,
    `  --servers A,B   of ${servers.join(", ")}`,
  ].join("\n");
}
