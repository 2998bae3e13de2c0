import { advise } from "../../foundation/text/suggestion.ts";
import { commandGroups, commands } from "./commands.ts";
import { helpOf } from "./help.ts";
import { type Environment, readOptions, type Subcommand } from "./options.ts";
import { exitCodes, UserError } from "./user-error.ts";
import { version } from "./version.ts";

/**
 * Runs the command that the words name, prints through the environment and returns the exit code. It prints errors too:
 * problems of the user and bugs of Understudy.
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
    environment.printError(`Understudy has a bug: ${problem}. Please report it with the command line.`);
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
        "understudy --help lists all.",
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
  environment.print(helpOf(command, options.positionals.includes("all")));
  return exitCodes.fine;
}

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    "Usage: understudy COMMAND [flags]",
    "",
    ...commandGroups.flatMap(({ title, commands: listed }) => [
      title,
      ...listed.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
      "",
    ]),
    "understudy COMMAND --help shows the flags of a command; understudy --version shows the version.",
    "",
    "Exit codes: 0 success, 1 findings, 2 wrong usage or invalid file, 3 target not reachable,",
    "            4 bug in Understudy, 130 interrupted.",
  ].join("\n");
}
