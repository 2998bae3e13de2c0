import type { Flag } from "../options.ts";

/** A command for a completion script; the name of a subcommand has two words. */
export interface CompletableCommand {
  readonly name: string;
  readonly summary: string;
  /** Fixed words behind the name: subcommands and arguments. Files are completed too. */
  readonly words: readonly string[];
  readonly flags: readonly Flag[];
}

/** Commands whose name is one word. */
export function mainCommands(commands: readonly CompletableCommand[]): readonly CompletableCommand[] {
  return commands.filter(({ name }) => !name.includes(" "));
}

/** Commands whose name has two words. */
export function subcommandsIn(commands: readonly CompletableCommand[]): readonly CompletableCommand[] {
  return commands.filter(({ name }) => name.includes(" "));
}

/** The words of a flag: `--port`, and `-p` where it has a letter. */
export function wordsOf({ name, short }: Flag): readonly string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
}
