import { reasonOf } from "../programs/files/system-error.ts";
import { exitCodes } from "../programs/user-error.ts";
import { asCalled } from "./as-called.ts";
import { main } from "./command-line.ts";
import { isColoured } from "./is-coloured.ts";
import { linesForWindows } from "./lines-for-windows.ts";
import { flagOf } from "./options.ts";
import { createProgress } from "./progress.ts";

/** Runs the command line with the arguments, streams, environment and signals of this process, and sets its exit code. */
export async function runCommandLine(): Promise<void> {
  const progress = createProgress(process.stderr, performance.now.bind(performance));
  watchOutput();
  process.exitCode = await main(process.argv.slice(2), {
    folder: process.cwd(),
    program: { file: process.argv[1] ?? "", words: process.argv.slice(2), nodeWords: process.execArgv },
    variables: process.env,
    isTerminal: process.stdout.isTTY === true,
    isColoured: isColoured(process.stdout.isTTY === true, process.env),
    // Node opens standard input at the first access.
    get input() {
      return process.stdin;
    },
    nameOf: flagOf,
    print: (text) => {
      progress.erase();
      console.log(shown(text));
    },
    printError: (text) => {
      progress.erase();
      console.error(shown(text));
    },
    progress: progress.show,
    stopped: stopSignal,
  });
  progress.erase();
}

function shown(text: string): string {
  const { platform, env } = process;
  return linesForWindows(asCalled(text, env), { platform, variables: env });
}

/**
 * Reports output that cannot be written, so that an empty file is not taken for a verdict. A pipe closed by its reader is not an error.
 */
function watchOutput(): void {
  let problem: string | undefined;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || problem !== undefined) return;
    problem = reasonOf(error);
    console.error(`The output cannot be written (${problem}). What was printed is incomplete.`);
  });
  process.stderr.on("error", () => undefined);
  process.on("exit", () => {
    if (problem !== undefined && (process.exitCode ?? exitCodes.fine) === exitCodes.fine)
      process.exitCode = exitCodes.usage;
  });
}

/** Resolves at the first SIGINT, SIGTERM or SIGHUP; a second one, of any kind, ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => {
        if (isStopping) process.exit(exitCodes.interrupted);
        isStopping = true;
        resolve();
      });
  });
}
