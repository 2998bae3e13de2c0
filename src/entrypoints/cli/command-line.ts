import { advise } from "../../foundation/text/suggestion.ts";
import { commands } from "./commands.ts";
import { type Environment, helpOf, readOptions, type Subcommand } from "./options.ts";
import { exitCodes, UserError } from "./user-error.ts";
import { version } from "./version.ts";

/**
 * The command line without a process: runs what the words ask for, prints through the environment and gives the exit code.
 * Also what goes wrong is printed, be it a problem of the user's or a fault of Understudy.
 */
export async function main(words: readonly string[], environment: Environment): Promise<number> {
  try {
    return await run(words, environment);
  } catch (error) {
    if (error instanceof UserError) {
      environment.printError(error.message);
      return error.exitCode;
    }
    const problem = error instanceof Error ? error.message : String(error);
    environment.printError(`Understudy has a bug: ${problem}. Please report it with what you ran.`);
    return exitCodes.fault;
  }
}

async function run(words: readonly string[], environment: Environment): Promise<number> {
  const [first, ...others] = words;
  const isHelpOf = first === "help" && others.length > 0;
  const [name, ...rest] = isHelpOf ? [...others, "--help"] : words;
  if (name === "--version" || name === "-v" || name === "version") {
    environment.print(version());
    return exitCodes.fine;
  }
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    environment.print(overview());
    return exitCodes.fine;
  }
  const listed = commands.find((candidate) => candidate.name === name);
  if (listed === undefined)
    throw new UserError(
      `There is no command ${JSON.stringify(name)}. ${advise(
        name,
        commands.map((candidate) => candidate.name),
      )}`,
    );
  const command = await listed.load();
  const inner = command.subcommands?.find((candidate) => candidate.name === `${name} ${rest[0]}`);
  return inner === undefined
    ? runOrHelp({ ...command, summary: listed.summary }, rest, environment)
    : runOrHelp(inner, rest.slice(1), environment);
}

async function runOrHelp(command: Subcommand, words: readonly string[], environment: Environment): Promise<number> {
  const options = readOptions(command, words, environment);
  if (!options.flag("help")) return command.run(options, environment);
  environment.print(helpOf(command));
  return exitCodes.fine;
}

function overview(): string {
  const lines = commands.map((command) => `  ${command.name.padEnd(10)} ${command.summary}`);
  return [
    "Usage: understudy COMMAND [flags]",
    "",
    ...lines,
    "",
    "understudy COMMAND --help says more, understudy --version the version. Exit codes: 0 fine, 1 findings, 2 usage or bad file, 3 target not reachable, 4 our own bug, 130 interrupted.",
  ].join("\n");
}
