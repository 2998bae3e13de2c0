import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { advise, suggestion } from "../../foundation/text/suggestion.ts";
import { configsIn, unreadConfigIn } from "../config/find-config.ts";
import { exitCodes, UserError } from "../programs/user-error.ts";
import { version } from "../programs/version.ts";
import { commandGroups, commands } from "./commands.ts";
import { checkPairs } from "./flag-pairs.ts";
import { helpOf } from "./help.ts";
import { type Command, configFlag, type Environment, type Options, readOptions, type Subcommand } from "./options.ts";
import { otherCommands } from "./replaced-flags.ts";
import { warnOfUnknownVariables } from "./unknown-variables.ts";

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
  const isHelpOf = first === "help" && others.length > 0 && others[0] !== "all";
  const [name, ...rest] = isHelpOf ? [...others, "--help"] : words;
  if (name === "--version" || name === "-v" || name === "version") {
    environment.print(version());
    return exitCodes.fine;
  }
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    environment.print(overview());
    return exitCodes.fine;
  }
  if (name.startsWith("-"))
    throw new UserError(`${name}: the command comes first, then its flags: understudy serve ${words.join(" ")}`);
  const listed = commands.find((candidate) => candidate.name === name);
  if (listed === undefined) throw new UserError(`There is no command ${JSON.stringify(name)}. ${adviceFor(name)}`);
  const command = await listed.load();
  const inner = command.subcommands?.find((candidate) => candidate.name === `${name} ${rest[0]}`);
  if (inner === undefined) checkSubcommand(command, rest[0], environment);
  return inner === undefined
    ? runOrHelp({ ...command, summary: listed.summary }, rest, environment)
    : runOrHelp(inner, rest.slice(1), environment);
}

function adviceFor(name: string): string {
  const other = otherCommands.get(name);
  if (other !== undefined) return `Use understudy ${other}.`;
  const names = commands.map((candidate) => candidate.name);
  return advise(name, names, "understudy --help lists all.");
}

/** Throws a UserError for a misspelt subcommand. A file with that name takes precedence. */
function checkSubcommand({ name, subcommands = [] }: Command, word: string | undefined, { folder }: Environment): void {
  if (word === undefined || existsSync(resolve(folder, word))) return;
  const near = suggestion(
    word,
    subcommands.map((subcommand) => subcommand.name.slice(name.length + 1)),
  );
  if (near !== undefined)
    throw new UserError(`There is no command ${JSON.stringify(`${name} ${word}`)}. Did you mean "${name} ${near}"?`);
}

/** Advice for a file name with spaces that the shell split into words; undefined if no words form such a name. */
function quotingAdvice({ positionals, folder }: Options): string | undefined {
  for (let first = 0; first < positionals.length; first += 1)
    for (let end = first + 2; end <= Math.min(positionals.length, first + nameWordsMax); end += 1) {
      const name = positionals.slice(first, end).join(" ");
      if (existsSync(resolve(folder, name))) return `Put a file name with spaces in quotes: "${name}".`;
    }
  return undefined;
}

async function runOrHelp(command: Subcommand, words: readonly string[], environment: Environment): Promise<number> {
  const given = readOptions(command, words, environment);
  if (given.flag("help")) {
    environment.print(helpOf(command, given.positionals.includes("all")));
    return exitCodes.fine;
  }
  const options = command.flags.includes(configFlag) ? await withConfig(given, command, words, environment) : given;
  try {
    checkPairs(command, options);
    await warnOfUnknownVariables(command, environment);
    const exitCode = await command.run(options, environment);
    const advice = exitCode === exitCodes.usage ? quotingAdvice(options) : undefined;
    if (advice !== undefined) environment.printError(advice);
    return exitCode;
  } catch (error) {
    if (!(error instanceof UserError && error.exitCode === exitCodes.usage)) throw error;
    const advice = [placeAdvice(error.message, options), quotingAdvice(options)].filter((line) => line !== undefined);
    throw advice.length === 0 ? error : new UserError([error.message, ...advice].join("\n"));
  }
}

/** The options with the values of the config file, if there is one. */
async function withConfig(
  given: Options,
  command: Command,
  words: readonly string[],
  environment: Environment,
): Promise<Options> {
  const name = given.text(configFlag.name);
  const { folder } = environment;
  if (name === undefined && configsIn(folder).length === 0 && unreadConfigIn(folder) === undefined) return given;
  const { readConfiguredFlags } = await import("./config/configured-flags.ts");
  return readOptions(command, words, environment, readConfiguredFlags(command, name, environment));
}

/** The place of the flag that a message begins with, in the environment or the config file; undefined if a word sets it. */
function placeAdvice(message: string, { isWord, isSet, placeOf }: Options): string | undefined {
  const [, name = ""] = /^--([a-z][a-z-]*)\b/.exec(message) ?? [];
  if (isWord(name) || !isSet(name)) return undefined;
  return `It is set by ${placeOf(name)}.`;
}

/** Number of words of a command line that are joined to one file name. */
const nameWordsMax = 8;

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
    "Exit codes: 0 success, 1 a check or a scenario failed, 2 wrong usage or invalid file,",
    "            3 target not reachable, 4 bug in Understudy, 5 incomplete: not all, or nothing, was checked,",
    "            130 interrupted.",
    "",
    "Examples:",
    "  understudy serve --profile canton-3.5",
    "  understudy check traffic.har --report verdict.html",
  ].join("\n");
}
