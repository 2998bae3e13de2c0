import { UserError } from "../programs/user-error.ts";
import { type Command, type FlagPair, nameIn, type Options } from "./options.ts";

/** Pairs of every command. */
const commonPairs: readonly FlagPair[] = [{ flags: ["quiet"], without: "json" }];

/**
 * Throws a UserError for a flag that has no effect: alone, or with another flag. Only flags on the command line are refused,
 * because several commands can share an environment.
 */
export function checkPairs({ flags, pairs = [] }: Pick<Command, "flags" | "pairs">, options: Options): void {
  for (const { flags: names, needs, without } of [...commonPairs, ...pairs])
    for (const name of names) {
      if (!options.isWord(name) || !options.isSet(name)) continue;
      if (needs !== undefined && !options.isSet(needs))
        throw new UserError(
          `--${name} has no effect without --${needs}. Add ${withValue(needs, flags)}, or remove --${name}.`,
        );
      if (without !== undefined && options.isSet(without))
        throw new UserError(`--${name} has no effect with ${options.placeOf(without)}. Remove one of the two.`);
    }
  for (const { name, numbers = [] } of flags)
    for (const { name: number, needs } of numbers) {
      const text = options.texts(name).find((given) => nameIn(given) === `${number}=`);
      if (text === undefined || needs === undefined || options.isSet(needs)) continue;
      if (options.placeOf(name, text) === `--${name}`)
        throw new UserError(
          `--${name} ${text} has no effect without --${needs}. Add ${withValue(needs, flags)}, or remove it.`,
        );
    }
}

function withValue(name: string, flags: Command["flags"]): string {
  const value = flags.find((flag) => flag.name === name)?.value;
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}
