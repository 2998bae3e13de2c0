import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { main } from "../../src/entrypoints/cli/command-line.ts";
import { isColoured } from "../../src/entrypoints/cli/is-coloured.ts";
import type { Environment } from "../../src/entrypoints/cli/options.ts";
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

/** Runs `understudy` to its end in this process, from the repository's root unless the setting names a folder. */
export async function understudy(words: readonly string[], options: Options = {}): Promise<Ran> {
  return new StartedCommand(words, options).ended;
}

export interface Running {
  readonly url: string;
  readonly ready: string;
  /** Resolves with what it printed behind the first so many characters, once that matches; stderr counts too. */
  printed(pattern: RegExp, from?: number): Promise<string>;
  stop(): void;
  /** All that it printed and its exit code, once it has ended. */
  ended(): Promise<Ran>;
}

/** `understudy serve` on a free port, in this process; it is stopped after the file's last test. */
export function serving(words: readonly string[], options: Options = {}): Promise<Running> {
  return running(["serve", "--port", "0", ...words], options);
}

/** `understudy record` on a free port, in this process; it is stopped after the file's last test. */
export function recording(words: readonly string[], options: Options = {}): Promise<Running> {
  return running(["record", "--port", "0", ...words], options);
}

/** A command that goes on, once it has said where it listens. */
export async function running(words: readonly string[], options: Options = {}): Promise<Running> {
  const command = started(words, options);
  const ready = await command.printed(/Stop with Ctrl-C|"event":"ready"/);
  return {
    url: /https?:\/\/[\w.[\]:]+:\d+/.exec(ready)?.[0] ?? "",
    ready,
    printed: (pattern, from) => command.printed(pattern, from),
    stop: () => command.stop(),
    ended: () => command.ended,
  };
}

/** A command that goes on in this process until it ends or is stopped; it is stopped after the file's last test. */
export function started(words: readonly string[], options: Options = {}): StartedCommand {
  const command = new StartedCommand(words, options);
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

/** The environment of a command without a process: it prints nothing, and ends when it has done its work. */
export const inProcess: Environment = {
  folder: root,
  input: Readable.from([]),
  program: undefined,
  variables: {},
  isTerminal: false,
  isColoured: false,
  print: () => undefined,
  printError: () => undefined,
  progress: () => undefined,
  manageMemory: () => undefined,
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
