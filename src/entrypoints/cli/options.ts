import { type ParseArgsConfig, parseArgs } from "node:util";
import { suggestion } from "../../foundation/text/suggestion.ts";
import type { ProgramCaller } from "../programs/caller.ts";
import type { ConfiguredTargets } from "../programs/check/target.ts";
import { matchingFiles } from "../programs/files/matching-files.ts";
import { UserError } from "../programs/user-error.ts";
import { commandLimits } from "./flags/command-limits.ts";
import { replacedFlags, replacementOf } from "./replaced-flags.ts";

/** A flag of a command. An environment variable can set it too: `UNDERSTUDY_READY_FILE` sets `--ready-file`. */
export interface Flag {
  readonly name: string;
  /** One letter: `p` makes `-p` the same as `--port`. */
  readonly short?: string;
  /** A `list` can be repeated. Its environment variable holds one value per line, or values separated by commas. */
  readonly type: "string" | "boolean" | "list";
  readonly value?: string;
  readonly help: string;
  /** The only values that the flag takes. */
  readonly choices?: readonly string[];
  /** Values that reports omit. */
  readonly secret?: RegExp;
  /** The numbers that NAME=VALUE sets. */
  readonly numbers?: readonly NamedNumber[];
  /** Whether the values of a `list` are NAME=VALUE: each overrides the one of its name in the environment and the config file. */
  readonly isByName?: true;
  /** Only `--help all` shows the flag. */
  readonly isRare?: boolean;
  /** Heading of the flag in `--help all`. */
  readonly group?: string;
}

/** A whole number that users set by its name, such as a limit. */
export interface NamedNumber {
  readonly name: string;
  readonly unit?: "" | "bytes" | "ms";
  readonly byDefault: number;
  readonly min: number;
  readonly max: number;
  /** The quantity, for help and docs. */
  readonly quantity: string;
  /** The flag without which the number has no effect. */
  readonly needs?: string;
}

/** A flag that takes one value. */
export function textFlag(name: string, value: string, help: string): Flag {
  return { name, type: "string", value, help };
}

/** A flag that takes one of several values. */
export function choiceFlag(name: string, value: string, choices: readonly string[], help: string): Flag {
  return { ...textFlag(name, value, help), choices };
}

/** A flag that can be repeated. */
export function listFlag(name: string, value: string, help: string): Flag {
  return { name, type: "list", value, help };
}

/** A flag that can be repeated, with a name in each value. */
export function byNameFlag(name: string, value: string, help: string): Flag {
  return { ...listFlag(name, value, help), isByName: true };
}

/** A flag without a value. */
export function booleanFlag(name: string, help: string): Flag {
  return { name, type: "boolean", help };
}

/** The flag in `--help all` only. */
export function rare(flag: Flag): Flag {
  return { ...flag, isRare: true };
}

/** The flags under a heading of `--help all`. */
export function inGroup(group: string, flags: readonly Flag[]): readonly Flag[] {
  return flags.map((flag) => ({ ...flag, group }));
}

/** A command: its name, its flags, two example lines, and `run`, which returns the exit code. */
export interface Command {
  readonly name: string;
  /** The words after `understudy`; one line for each way to call the command. */
  readonly usage: string;
  readonly flags: readonly Flag[];
  /** Words that the command takes as its arguments; others take files. */
  readonly arguments?: readonly string[];
  /** Flags that have no effect together, or alone. */
  readonly pairs?: readonly FlagPair[];
  /** Complete command lines that end the help. */
  readonly examples: readonly [string, string];
  /** Commands whose name is the second word of the command line, such as `check merge`. */
  readonly subcommands?: readonly Subcommand[];
  run(options: Options, environment: Environment): Promise<number>;
}

/** Flags that have an effect only with another flag (`needs`), or only without it (`without`). */
export interface FlagPair {
  readonly flags: readonly string[];
  readonly needs?: string;
  readonly without?: string;
}

/** A command with its summary; `commands.ts` holds the summaries of the others. */
export interface Subcommand extends Command {
  readonly summary: string;
}

/** The command line that started the process. */
interface Program {
  readonly file: string;
  readonly words: readonly string[];
  /** Options of Node, which stand before the file. */
  readonly nodeWords: readonly string[];
}

/** The input and output of a command. */
export interface Environment extends ProgramCaller {
  /** Undefined where the command has no process of its own. */
  readonly program: Program | undefined;
  /** Whether a person reads the output: it goes to a terminal. */
  readonly isTerminal: boolean;
  /** Whether the text may have colours. */
  readonly isColoured: boolean;
  print(text: string): void;
}

/** The flag of an option: `--fail-on` for `failOn`. */
export function flagOf(option: string): string {
  return `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Values of the flags and the other words of a command line. */
export interface Options {
  /** Absolute path of the folder that relative file names start from. */
  readonly folder: string;
  /** With the files that a pattern such as `scenarios/*.yaml` matches: the shells of Windows pass it on. */
  readonly positionals: readonly string[];
  text(name: string): string | undefined;
  /** All values of a `list`. Of values by name, a later one takes precedence. */
  texts(name: string): readonly string[];
  flag(name: string): boolean;
  /** Whether a flag of any type has a value. */
  isSet(name: string): boolean;
  /** Whether the command line itself sets the flag, not only the environment or the config file. */
  isWord(name: string): boolean;
  /** Where the value of a flag comes from: the flag itself, a variable, or a place in the config file; `text` is one of a list. */
  placeOf(name: string, text?: string): string;
  /** Undefined without a config file. */
  readonly config: ConfiguredFlags | undefined;
}

/** Values of flags in a config file, and its targets. */
export interface ConfiguredFlags extends ConfiguredTargets {
  value(flag: string): string | boolean | readonly string[] | undefined;
  placeOf(flag: string): string;
}

/** The flag of commands that a config file has a section for. */
export const configFlag: Flag = {
  ...rare(textFlag("config", "FILE", "config file (default: understudy.config.ts, .mts, .js, .mjs, .yaml or .yml)")),
  group: "Config",
};

/** A command by its name, with its usage for messages. */
type NamedCommand = Pick<Command, "name"> & Partial<Pick<Command, "usage">>;

/** Flags of every command. */
export const commonFlags: readonly Flag[] = inGroup("Output", [
  booleanFlag("json", "print JSON, one value per line, instead of text"),
  { ...booleanFlag("help", "show this help"), short: "h" },
]);

/**
 * Reads the words of a command. Flags take precedence over variables, and variables over the config file. Throws a UserError
 * that suggests the nearest flag for an unknown one.
 */
export function readOptions(
  command: NamedCommand & Pick<Command, "flags">,
  words: readonly string[],
  { variables, folder }: Pick<Environment, "variables" | "folder">,
  config?: ConfiguredFlags,
): Options {
  const flags = [...command.flags, ...commonFlags];
  const known: ParseArgsConfig["options"] = Object.fromEntries(
    flags.map(({ name, short, type }) => [
      name,
      {
        ...(type === "list" ? { type: "string", multiple: true } : { type }),
        ...(short === undefined ? {} : { short }),
      },
    ]),
  );
  const parsed = parseArgs({ args: [...words], options: known, allowPositionals: true, strict: false, tokens: true });
  for (const token of parsed.tokens ?? []) if (token.kind === "option") checkFlag(command, flags, token);
  const names = (parsed.tokens ?? []).flatMap((token) => (token.kind === "option" ? [token.name] : []));
  const twice = flags.find(({ name, type }) => type === "string" && names.filter((other) => other === name).length > 1);
  if (twice !== undefined) throw new UserError(`--${twice.name} is given twice. It takes one value.`);
  const declared = new Set(flags.map(({ name }) => name));
  const variable = (name: string) => (declared.has(name) ? variableOf(name, variables) : undefined);
  checkReplaced(command, variables);
  const given = (name: string) => parsed.values[name] ?? variable(name) ?? config?.value(name);
  const placeOf = (name: string, text?: string) => {
    const isFrom = (value: Value) => value !== undefined && (text === undefined || textsIn(value).includes(text));
    if (isFrom(parsed.values[name])) return `--${name}`;
    return config !== undefined && !isFrom(variable(name))
      ? config.placeOf(name)
      : `${variableNameOf(name)} in the environment`;
  };
  for (const { name, type } of flags) if (type === "boolean") checkBoolean(name, given(name), placeOf);
  const byName = new Set(flags.flatMap(({ name, isByName }) => (isByName === true ? [name] : [])));
  const texts = (name: string) =>
    byName.has(name)
      ? mergedByName([
          textsIn(config?.value(name)),
          ofCommand(flags, name, variable(name)),
          textsIn(parsed.values[name]),
        ])
      : textsIn(given(name));
  for (const { name, type } of flags)
    if ((type === "string" && given(name) === "") || (type === "list" && texts(name).includes("")))
      throw new UserError(`--${name} needs a value.`);
  return {
    folder,
    positionals: parsed.positionals.flatMap((word) => matchingFiles(word, folder)),
    text: (name) => {
      const value = given(name);
      return typeof value === "string" ? value : undefined;
    },
    texts,
    flag: (name) => isTrue(given(name)),
    isSet: (name) => {
      const type = flags.find((flag) => flag.name === name)?.type;
      if (type === "list") return texts(name).length > 0;
      return type === "boolean" ? isTrue(given(name)) : given(name) !== undefined;
    },
    isWord: (name) => names.includes(name),
    placeOf,
    config,
  };
}

type Value = string | boolean | readonly (string | boolean)[] | undefined;

function textsIn(given: Value): readonly string[] {
  if (Array.isArray(given)) return given.filter((value) => typeof value === "string");
  const text = typeof given === "string" ? given : "";
  const parts = text.includes("\n") ? text.split("\n") : splitAtCommas(text);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** The parts between the commas that are outside of JSON, such as that of `instrument={"admin":"a","id":"b"}`. */
function splitAtCommas(text: string): readonly string[] {
  const parts = [""];
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[\s\S]/g)) {
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    if (token === "," && depth <= 0) parts.push("");
    else parts.push((parts.pop() ?? "") + token);
  }
  return parts;
}

/** The limits of an environment variable, without those of other commands: several commands can share an environment. */
function ofCommand(flags: readonly Flag[], name: string, value: string | undefined): readonly string[] {
  const known = new Set(flags.find((flag) => flag.name === name)?.numbers?.map((number) => number.name));
  const isOfOther = (limit: string) => name === "limit" && commandLimits.has(limit) && !known.has(limit);
  return textsIn(value).filter((text) => !isOfOther(nameIn(text).slice(0, -1)));
}

/** The values of all layers. Those of a later layer replace those of the same name. */
function mergedByName(layers: readonly (readonly string[])[]): readonly string[] {
  return layers.reduce((lower, upper) => {
    const names = new Set(upper.map(nameIn));
    return [...lower.filter((text) => !names.has(nameIn(text))), ...upper];
  }, []);
}

/** The name of NAME=VALUE, with its sign; empty for a value without a name. */
export function nameIn(text: string): string {
  return /^[A-Za-z][\w.-]*=/.exec(text)?.[0] ?? "";
}

/** The value of the flag's environment variable; undefined for an empty one. */
function variableOf(name: string, variables: Environment["variables"]): string | undefined {
  return variables[variableNameOf(name)] || undefined;
}

/** The environment variable that sets a flag. */
export function variableNameOf(name: string): string {
  return `UNDERSTUDY_${name.toUpperCase().replaceAll("-", "_")}`;
}

const falseTexts: readonly unknown[] = [undefined, false, "0", "false"];

function isTrue(value: Value): boolean {
  return value === true || value === "1" || value === "true";
}

function checkBoolean(name: string, value: Value, placeOf: (name: string) => string): void {
  if (isTrue(value) || falseTexts.includes(value)) return;
  const place = placeOf(name);
  throw new UserError(
    place === `--${name}`
      ? `--${name}=${String(value)}: neither true nor false. Use --${name}, or --${name}=false.`
      : `${place} is ${JSON.stringify(value)}: neither true nor false. Use true or false.`,
  );
}

function checkFlag(
  command: NamedCommand,
  flags: readonly Flag[],
  { name, rawName, value }: { readonly name: string; readonly rawName: string; readonly value?: string | undefined },
): void {
  const flag = flags.find((candidate) => candidate.name === name);
  if (flag === undefined) throw new UserError(unknownFlag(command, flags, rawName, replacementOf(command.name, name)));
  if (flag.type !== "boolean" && value === undefined)
    throw new UserError(`--${name} needs a value: --${name} ${flag.value ?? "VALUE"}`);
}

function unknownFlag(
  { name: command, usage = "" }: NamedCommand,
  flags: readonly Flag[],
  rawName: string,
  replacement: string | undefined,
): string {
  if (rawName === "--scenario" && usage.includes("SCENARIO"))
    return `understudy ${command} has no flag --scenario: the scenario is an argument. Use understudy ${command} FILE.`;
  const near = suggestion(
    rawName.replace(/^-+/, ""),
    flags.map(({ name }) => name),
  );
  const advice = near === undefined ? `understudy ${command} --help all lists the flags.` : `Did you mean --${near}?`;
  return `understudy ${command} has no flag ${rawName}. ${replacement === undefined ? advice : `Use ${replacement}.`}`;
}

/** Throws a UserError for the variable of a flag that the command had: without its value, less would be checked. */
function checkReplaced({ name: command }: Pick<Command, "name">, variables: Environment["variables"]): void {
  for (const [name, replacement] of replacedFlags(command))
    if (variableOf(name, variables) !== undefined)
      throw new UserError(
        `${variableNameOf(name)} in the environment: understudy ${command} has no flag --${name}. Use ${replacement}.`,
      );
}
