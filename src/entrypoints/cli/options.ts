import type { Readable } from "node:stream";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { advise } from "../../foundation/text/suggestion.ts";
import { UserError } from "./user-error.ts";

/** A flag of a command; every flag has an environment variable, `--ready-file` is `UNDERSTUDY_READY_FILE`. */
export interface Flag {
  readonly name: string;
  /** A `list` may be given several times; its environment variable holds one value a line, or values between commas. */
  readonly type: "string" | "boolean" | "list";
  readonly value?: string;
  readonly help: string;
}

/** A command's words, its flags and what it does. `run` gives the exit code. */
export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly flags: readonly Flag[];
  /** Commands that are this one's second word. */
  readonly subcommands?: readonly Subcommand[];
  run(options: Options, environment: Environment): Promise<number>;
}

/** A command that says itself what it is for; of the others `commands.ts` says it. */
export interface Subcommand extends Command {
  readonly summary: string;
}

/** How a process was started. */
export interface Program {
  readonly file: string;
  readonly words: readonly string[];
  /** What Node was told before the file. */
  readonly nodeWords: readonly string[];
}

/** What the outside world gives to a command. */
export interface Environment {
  /** The folder that relative names of files begin from; absolute. */
  readonly folder: string;
  /** Standard input. */
  readonly input: Readable;
  /** Starts the same command again, for a worker; undefined where the command has no process of its own. */
  readonly program: Program | undefined;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Whether the text may have colours. */
  readonly isColoured: boolean;
  print(text: string): void;
  printError(text: string): void;
  /** Shows where long work stands, on a terminal; the next text takes its place, and what is printed erases it. */
  progress(text: string): void;
  /** Has V8 manage the memory of the process by these flags from now on. */
  manageMemory(flags: readonly string[]): void;
  /** Resolves when the user asks to stop. */
  stopped(): Promise<void>;
}

export interface Options {
  /** The folder that relative names of files begin from; absolute. */
  readonly folder: string;
  readonly positionals: readonly string[];
  text(name: string): string | undefined;
  /** Every value of a `list`. */
  texts(name: string): readonly string[];
  flag(name: string): boolean;
  /** Whether a word of the command line gives it, and not the environment alone. */
  isWord(name: string): boolean;
}

export const commonFlags: readonly Flag[] = [
  { name: "json", type: "boolean", help: "print one JSON value a line instead of text" },
  { name: "help", type: "boolean", help: "say what the command does" },
];

/** Reads a command's words. Throws a UserError that suggests the nearest flag for a misspelt one. */
export function readOptions(
  command: Command,
  words: readonly string[],
  { variables, folder }: Pick<Environment, "variables" | "folder">,
): Options {
  const flags = [...command.flags, ...commonFlags];
  const known: ParseArgsConfig["options"] = Object.fromEntries(
    flags.map(({ name, type }) => [name, type === "list" ? { type: "string", multiple: true } : { type }]),
  );
  const args = words.map((word) => (word === "-h" ? "--help" : word));
  const parsed = parseArgs({ args, options: known, allowPositionals: true, strict: false, tokens: true });
  for (const token of parsed.tokens ?? [])
    if (token.kind === "option") checkFlag(command, flags, token.name, token.value);
  const names = (parsed.tokens ?? []).flatMap((token) => (token.kind === "option" ? [token.name] : []));
  const twice = flags.find(({ name, type }) => type === "string" && names.filter((other) => other === name).length > 1);
  if (twice !== undefined) throw new UserError(`--${twice.name} is given twice, and takes one value.`);
  const given = (name: string) => parsed.values[name] ?? variableOf(name, variables);
  for (const { name, type } of flags) if (type === "boolean") isTrue(name, given(name));
  const texts = (name: string) => textsIn(parsed.values[name], variableOf(name, variables));
  for (const { name, type } of flags)
    if ((type === "string" && given(name) === "") || (type === "list" && texts(name).includes("")))
      throw new UserError(`--${name} needs a value.`);
  return {
    folder,
    positionals: parsed.positionals,
    text: (name) => {
      const value = given(name);
      return typeof value === "string" ? value : undefined;
    },
    texts,
    flag: (name) => isTrue(name, given(name)),
    isWord: (name) => names.includes(name),
  };
}

type Value = string | boolean | readonly (string | boolean)[] | undefined;

function textsIn(given: Value, variable: string | undefined): readonly string[] {
  if (Array.isArray(given)) return given.filter((value) => typeof value === "string");
  const text = variable ?? "";
  const parts = text.split(text.includes("\n") ? "\n" : ",").map((part) => part.trim());
  return parts.filter((part) => part !== "");
}

/** An empty variable counts as none. */
function variableOf(name: string, variables: Environment["variables"]): string | undefined {
  return variables[twinOf(name)] || undefined;
}

function twinOf(name: string): string {
  return `UNDERSTUDY_${name.toUpperCase().replaceAll("-", "_")}`;
}

function isTrue(name: string, value: Value): boolean {
  if (value === undefined || value === false || value === "0" || value === "false") return false;
  if (value === true || value === "1" || value === "true") return true;
  throw new UserError(`--${name} is on or off: ${String(value)} is neither true nor false.`);
}

function checkFlag(command: Command, flags: readonly Flag[], name: string, value: string | undefined): void {
  const flag = flags.find((candidate) => candidate.name === name);
  const names = flags.map((candidate) => candidate.name);
  if (flag === undefined)
    throw new UserError(`understudy ${command.name} has no flag --${name}. ${advise(name, names)}`);
  if (flag.type !== "boolean" && value === undefined)
    throw new UserError(`--${name} needs a value: --${name} ${flag.value ?? "VALUE"}`);
}

const severalTimes = "may be given several times; in the environment: between commas or one a line";

/** The help text of a command. */
export function helpOf(command: Subcommand): string {
  const rows = [...command.flags, ...commonFlags].map(
    ({ name, type, value, help }) =>
      [
        `--${name}${value === undefined ? "" : ` ${value}`}`,
        type === "list" ? `${help} (${severalTimes})` : help,
      ] as const,
  );
  const width = Math.max(...rows.map(([left]) => left.length));
  const lines = rows.map(([left, help]) => `  ${left.padEnd(width)}  ${help}`);
  return [
    `Usage: understudy ${command.usage}`,
    "",
    command.summary,
    "",
    ...(command.subcommands ?? []).flatMap((inner) => [`  understudy ${inner.usage}`, `      ${inner.summary}`, ""]),
    ...lines,
    "",
    `Each flag has an environment variable: --${command.flags[0]?.name ?? "json"} is ${twinOf(command.flags[0]?.name ?? "json")}.`,
  ].join("\n");
}
