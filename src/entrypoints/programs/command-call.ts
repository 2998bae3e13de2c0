import { Readable } from "node:stream";
import { advise } from "../../foundation/text/suggestion.ts";
import { checkPairs } from "../cli/flag-pairs.ts";
import { type Command, type Environment, flagOf, type Options, readOptions } from "../cli/options.ts";
import { exitCodes, UserError } from "../cli/user-error.ts";
import { withoutOwnFrames } from "../library/for-user.ts";
import { nodeProblem } from "../library/node-problem.ts";
import { UnderstudyError } from "../library/understudy-error.ts";

/** A value of an option. A list is written with commas; an object has the names and values of a flag that takes NAME=VALUE. */
type OptionValue = string | number | boolean | readonly string[] | object | undefined;

/** What a program gives to a command: the command's flags in camel case, and the folder of relative file names. */
interface CommandOptions {
  readonly [name: string]: OptionValue;
}

/** The input of a command, and what it would print on standard error. */
interface CommandCall {
  readonly options: Options;
  readonly environment: Environment;
  readonly notes: readonly string[];
}

/** Flags that only the command line has: those of files and texts that it writes, and of its other modes. */
const ofCommandLine: ReadonlySet<string> = new Set([
  ...["config", "force", "list-probes", "migrate-to", "out", "quiet", "report", "second-opinion", "shard"],
  "update-baseline",
]);

/**
 * Calls a command's function with the options of a program. `files` is the option that lists the files, by its name.
 * Nothing is printed or written, and no variable of the environment sets a flag. Rejects with an UnderstudyError that names
 * options instead of flags.
 */
export async function callCommand<Result>(
  command: Command,
  { folder = process.cwd(), ...given }: CommandOptions,
  files: Readonly<Record<string, readonly string[]>>,
  call: (call: CommandCall) => Result | Promise<Result>,
): Promise<Result> {
  const problem = nodeProblem(process.versions.node);
  if (problem !== undefined) throw new UnderstudyError(problem);
  const flags = new Set(command.flags.map(({ name }) => name).filter((name) => !ofCommandLine.has(name)));
  try {
    const notes: string[] = [];
    const environment = environmentIn(String(folder), (text) => notes.push(inOptions(text, flags)));
    const withoutVariables = { ...environment, variables: {} };
    const words = [...wordsOf(given, flags), "--", ...Object.entries(files).flatMap(filesOf)];
    const options = readOptions(command, words, withoutVariables);
    checkPairs(command, options);
    return await call({ options, environment, notes });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const type = error.exitCode === exitCodes.unreachable ? "unreachable" : "input";
    throw withoutOwnFrames(new UnderstudyError(inOptions(error.message, flags), type, error.problems));
  }
}

function wordsOf(given: CommandOptions, flags: ReadonlySet<string>): readonly string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const flag = name === "limits" ? "limit" : name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (!flags.has(flag)) throw new UserError(unknownOption(name, flags));
    if (value === undefined || value === false) return [];
    if (typeof value === "object" && !Array.isArray(value)) return namedIn(value).map((text) => `--${flag}=${text}`);
    return value === true ? [`--${flag}`] : [`--${flag}=${Array.isArray(value) ? value.join(",") : value}`];
  });
}

/** The members of an object as NAME=VALUE, those of inner objects with their path. */
function namedIn(value: object, path = ""): readonly string[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    if (typeof inner === "object" && inner !== null && !Array.isArray(inner)) return namedIn(inner, `${path}${name}.`);
    return inner === undefined
      ? []
      : [`${path}${name}=${Array.isArray(inner) ? JSON.stringify(inner) : String(inner)}`];
  });
}

/** The files of an option. Programs in JavaScript may give anything. */
function filesOf([name, given]: readonly [name: string, given: readonly string[]]): readonly string[] {
  if (Array.isArray(given) && given.every((file) => typeof file === "string")) return given;
  throw new UserError(`option ${name}: ${JSON.stringify(given)} is not a list of files. Use ${name}: ["FILE"].`);
}

function unknownOption(name: string, flags: ReadonlySet<string>): string {
  return `unknown option ${JSON.stringify(name)}. ${advise(name, [...flags].map(optionOf), "The type of the options lists all.")}`;
}

/** The text of a command with `option strict` instead of `--strict`, except in command lines. */
function inOptions(text: string, flags: ReadonlySet<string>): string {
  return text.replaceAll(/(?<!\bunderstudy (?:[\w-]+ )*)--([a-z]+(?:-[a-z]+)*)/g, (whole, flag: string) =>
    flags.has(flag) ? `option ${optionOf(flag)}` : whole,
  );
}

function optionOf(flag: string): string {
  return flag.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function environmentIn(folder: string, printError: (text: string) => void): Environment {
  return {
    folder,
    program: undefined,
    variables: process.env,
    isTerminal: false,
    isColoured: false,
    nameOf: flagOf,
    input: Readable.from([]),
    print: () => undefined,
    printError,
    progress: () => undefined,
    stopped: () => new Promise(() => undefined),
  };
}
