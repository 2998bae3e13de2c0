import type { Readable } from "node:stream";

/** What a program uses of its caller: the command line, or a program that uses the library. */
export interface ProgramCaller {
  /** Absolute path of the folder that relative file names start from. */
  readonly folder: string;
  /** Standard input. */
  readonly input: Readable;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** An option as the caller spells it, for messages: `--fail-on`, or `option failOn`. */
  nameOf(option: string): string;
  printError(text: string): void;
  /** Shows the progress of long work. */
  progress(text: string): void;
  /** Resolves when the user asks to stop. */
  stopped(): Promise<void>;
}

/** Options of which each may be undefined. */
export type Given<Options> = { readonly [Name in keyof Options]?: Options[Name] | undefined };
