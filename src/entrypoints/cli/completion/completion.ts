import { advise } from "../../../foundation/text/suggestion.ts";
import { exitCodes, UserError } from "../../programs/user-error.ts";
import { type Command, commonFlags, type Environment, type Options, type Subcommand } from "../options.ts";
import { bashScript } from "./bash-script.ts";
import type { CompletableCommand } from "./completable-command.ts";
import { fishScript } from "./fish-script.ts";
import { zshScript } from "./zsh-script.ts";

const scripts: Readonly<Record<string, (commands: readonly CompletableCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
const shells = Object.keys(scripts);

/** Commands as the command line lists them. */
type Listed = readonly (Pick<Subcommand, "name" | "summary"> & { load(): Promise<Command> })[];

/** The command that prints completion scripts for all listed commands. */
export function completionOf(listed: Listed): Command {
  return {
    name: "completion",
    usage: "completion bash|zsh|fish",
    flags: [],
    arguments: shells,
    examples: ["understudy completion bash", "understudy completion fish"],
    run: (options, environment) => runCompletion(listed, options, environment),
  };
}

async function runCompletion(listed: Listed, options: Options, environment: Environment): Promise<number> {
  const [shell, ...more] = options.positionals;
  if (shell === undefined || more.length > 0)
    throw new UserError(`completion takes one shell: ${shells.join(", ")}. For example: understudy completion bash`);
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined)
    throw new UserError(`There is no completion for ${JSON.stringify(shell)}. ${advise(shell, shells)}`);
  const text = script(await completedCommands(listed));
  environment.print(options.flag("json") ? JSON.stringify({ event: "completion", shell, script: text }) : text);
  return exitCodes.fine;
}

/** All commands and their subcommands, with all flags. */
async function completedCommands(listed: Listed): Promise<readonly CompletableCommand[]> {
  const loaded = await Promise.all(
    listed.map(async ({ load, summary }) => {
      const { subcommands = [], ...command } = await load();
      const words = subcommands.map(({ name }) => name.split(" ")[1] ?? "");
      return [
        { ...command, summary, words: [...words, ...(command.arguments ?? [])] },
        ...subcommands.map((subcommand) => ({ ...subcommand, words: subcommand.arguments ?? [] })),
      ];
    }),
  );
  const help = {
    name: "help",
    summary: "Show the help of a command.",
    words: listed.map(({ name }) => name),
    flags: [],
  };
  const completed = loaded.flat().map(({ name, summary, words, flags }) => ({
    name,
    summary,
    words,
    flags: [...flags, ...commonFlags],
  }));
  return [...completed, help];
}
