import { suggestion } from "../../foundation/text/suggestion.ts";
import { commands } from "./commands.ts";
import { type Command, commonFlags, type Environment, type Subcommand, variableNameOf } from "./options.ts";

/** Variables that hooks receive; a hook may run a command. */
const ofHooks = ["ACTION", "CONTRACT", "PARAMS", "RECEIVER", "SENDER", "STATE", "SYNCHRONIZER", "TO"];
const prefix = "UNDERSTUDY_";

/**
 * Prints each variable of the environment whose name is nearly that of a flag, but sets none of any command. The other commands
 * are loaded only if a variable is not of this one.
 */
export async function warnOfUnknownVariables(
  { flags }: Subcommand,
  { variables, printError }: Pick<Environment, "variables" | "printError">,
): Promise<void> {
  const own = new Set([...flags, ...commonFlags].map(({ name }) => variableNameOf(name)));
  const others = Object.keys(variables).filter(
    (name) => name.startsWith(prefix) && !own.has(name) && !ofHooks.includes(name.slice(prefix.length)),
  );
  if (others.length === 0) return;
  const known = new Set([...own, ...(await Promise.all(commands.map(({ load }) => load()))).flatMap(variablesOf)]);
  for (const name of others) {
    const near = known.has(name) ? undefined : suggestion(name.slice(prefix.length), [...known].map(shortName));
    if (near !== undefined) printError(`${name} in the environment sets no flag. Did you mean ${prefix}${near}?`);
  }
}

function shortName(variable: string): string {
  return variable.slice(prefix.length);
}

function variablesOf({ flags, subcommands = [] }: Command): readonly string[] {
  return [{ flags }, ...subcommands].flatMap((command) => command.flags.map(({ name }) => variableNameOf(name)));
}
