import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { main } from "../../src/entrypoints/cli/command-line.ts";
import { isColoured } from "../../src/entrypoints/cli/is-coloured.ts";
import { type Environment, flagOf } from "../../src/entrypoints/cli/options.ts";
import { afterFile } from "../_after-file.ts";

export const root: string = fileURLToPath(new URL("../../", import.meta.url));

export interface Ran {
  readonly exitCode: number | null;
  readonly out: string;
  readonly error: string;
}

export interface Options {
  readonly folder?: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** What it reads from standard input. */
  readonly input?: Uint8Array;
  readonly isTerminal?: boolean;
}

/** The words of a command, or their line, where none of them has a space. */
export type Words = string | readonly string[];

/** Runs `understudy` to its end in this process, from the repository's root unless the setting names a folder. */
export async function understudy(words: Words, options: Options = {}): Promise<Ran> {
  return new StartedCommand(wordsOf(words), options).ended;
}

/** Expects that `understudy` refuses the words with exit code 2 and this message, prints nothing else and no stack. */
export async function expectRefusal(words: Words, message: string | RegExp, options: Options = {}): Promise<void> {
  const { exitCode, out, error } = await understudy(words, options);
  expect({ exitCode, out }).toEqual({ exitCode: 2, out: "" });
  if (typeof message === "string") expect(error).toContain(message);
  else expect(error).toMatch(message);
  expect(error).not.toMatch(/^\s+at /m);
}

/** The events that a command printed with `--json`. */
export function eventsIn(out: string): ReturnType<typeof JSON.parse>[] {
  const lines = out.trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

const wordsOf = (words: Words) => (typeof words === "string" ? words.split(" ") : words);

export interface Running {
  readonly url: string;
  readonly ready: string;
  /** Resolves with what it printed behind the first so many characters, once that matches; stderr counts too. */
  printed(pattern: RegExp, from?: number): Promise<string>;
  stop(): void;
  /** Stops it, as Ctrl-C does, and gives all that it printed and its exit code. */
  end(): Promise<Ran>;
  /** All that it printed and its exit code, once it has ended. */
  ended(): Promise<Ran>;
}

/** `understudy serve` on a free port, in this process; it is stopped after the file's last test. */
export function serving(words: Words, options: Options = {}): Promise<Running> {
  return running(["serve", "--port", "0", ...wordsOf(words)], options);
}

/** `understudy record` on a free port, in this process; it is stopped after the file's last test. */
export function recording(words: Words, options: Options = {}): Promise<Running> {
  return running(["record", "--port", "0", ...wordsOf(words)], options);
}

/** A command that goes on, once it has said where it listens. */
export async function running(words: Words, options: Options = {}): Promise<Running> {
  const command = started(words, options);
  const ready = await command.printed(/Stop with Ctrl-C|"event":"ready"/);
  return {
    url: /https?:\/\/[\w.[\]:]+:\d+/.exec(ready)?.[0] ?? "",
    ready,
    printed: (pattern, from) => command.printed(pattern, from),
    stop: () => command.stop(),
    end: () => {
      command.stop();
      return command.ended;
    },
    ended: () => command.ended,
  };
}

/** A command that goes on in this process until it ends or is stopped; it is stopped after the file's last test. */
export function started(words: Words, options: Options = {}): StartedCommand {
  const command = new StartedCommand(wordsOf(words), options);
  afterFile(() => {
    command.stop();
    return command.ended;
  });
  return command;
}

/** A folder of its own for a test; it is removed after the file's last test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "understudy-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder of its own with these files; names may have folders. */
export function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** The environment of a command without a process: it prints nothing, and ends when it has done its work. */
export const inProcess: Environment = {
  folder: root,
  input: Readable.from([]),
  program: undefined,
  variables: {},
  isTerminal: false,
  isColoured: false,
  nameOf: flagOf,
  print: () => undefined,
  printError: () => undefined,
  progress: () => undefined,
  stopped: () => new Promise(() => undefined),
};

interface Awaited {
  readonly pattern: RegExp;
  readonly from: number;
  readonly match: PromiseWithResolvers<string>;
}

/** A process that is client and server at once may be late with a request; no idle connection ends before it. */
const patience = { UNDERSTUDY_IDLE_TIMEOUT: "600" };

export class StartedCommand {
  /** All that it printed and its exit code. */
  readonly ended: Promise<Ran>;
  #out = "";
  #error = "";
  /** Both, in the order in which they were printed. */
  #all = "";
  #awaited: readonly Awaited[] = [];
  readonly #stopped = Promise.withResolvers<void>();

  constructor(
    words: readonly string[],
    { folder = root, variables = {}, input = new Uint8Array(), isTerminal = false }: Options,
  ) {
    const given = { PATH: process.env["PATH"] ?? "", ...patience, ...variables };
    this.ended = this.#run(words, {
      ...inProcess,
      folder,
      input: Readable.from([input]),
      variables: given,
      isTerminal,
      isColoured: isColoured(false, given),
    });
  }

  /** What it has printed until now. */
  get out(): string {
    return this.#out;
  }

  /**
   * Resolves with what it printed behind the first so many characters, once that matches; stderr counts too. Rejects where it
   * ends before.
   */
  printed(pattern: RegExp, from = 0): Promise<string> {
    const awaited = { pattern, from, match: Promise.withResolvers<string>() };
    this.#awaited = [...this.#awaited, awaited];
    this.#look();
    void this.ended.then(({ out, error }) => awaited.match.reject(new Error(`the command ended: ${out}${error}`)));
    return awaited.match.promise;
  }

  /** Asks it to stop, as the first SIGINT does. */
  stop(): void {
    this.#stopped.resolve();
  }

  async #run(words: readonly string[], environment: Environment): Promise<Ran> {
    const exitCode = await main(words, {
      ...environment,
      print: (text) => {
        this.#out += `${text}\n`;
        this.#hear(text);
      },
      printError: (text) => {
        this.#error += `${text}\n`;
        this.#hear(text);
      },
      stopped: () => this.#stopped.promise,
    });
    return { exitCode, out: this.#out, error: this.#error };
  }

  #hear(text: string): void {
    this.#all += `${text}\n`;
    this.#look();
  }

  #look(): void {
    for (const { pattern, from, match } of this.#awaited) {
      const text = this.#all.slice(from);
      if (pattern.test(text)) match.resolve(text);
    }
  }
}
