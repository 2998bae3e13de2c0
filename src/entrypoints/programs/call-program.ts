import { resolve } from "node:path";
import { Readable } from "node:stream";
import { withoutOwnFrames } from "../library/for-user.ts";
import { nodeProblem } from "../library/node-problem.ts";
import { UnderstudyError } from "../library/understudy-error.ts";
import type { ProgramCaller } from "./caller.ts";
import { exitCodes, UserError } from "./user-error.ts";

/** A program's caller in the library, and what the command would print on standard error. */
interface ProgramCall {
  readonly caller: ProgramCaller;
  readonly notes: readonly string[];
}

/**
 * Calls a program for a user of the library. Nothing is printed or written, and no variable of the environment sets an option.
 * Rejects with an UnderstudyError for `problemOf` the options, and for a UserError.
 */
export async function callProgram<Options extends { readonly folder?: string }, Result>(
  options: Options,
  problemOf: (options: Options) => string | undefined,
  call: (call: ProgramCall) => Result | Promise<Result>,
): Promise<Result> {
  const problem = nodeProblem(process.versions.node) ?? problemOf(options);
  if (problem !== undefined) throw withoutOwnFrames(new UnderstudyError(problem));
  const notes: string[] = [];
  try {
    return await call({ caller: callerIn(options.folder ?? ".", notes), notes });
  } catch (error) {
    throw errorForLibrary(error);
  }
}

/** The UnderstudyError for a UserError; any other error unchanged. */
export function errorForLibrary(error: unknown): unknown {
  if (!(error instanceof UserError)) return error;
  const type = error.exitCode === exitCodes.unreachable ? "unreachable" : "input";
  return withoutOwnFrames(new UnderstudyError(error.message, type, error.problems));
}

function callerIn(folder: string, notes: string[]): ProgramCaller {
  return {
    folder: resolve(folder),
    input: Readable.from([]),
    variables: process.env,
    nameOf: (option) => `option ${option}`,
    printError: (text) => notes.push(text),
    progress: () => undefined,
    stopped: () => new Promise(() => undefined),
  };
}
