import { advise } from "../scenario/suggestion.ts";
import { commands } from "./commands.ts";
import { type Environment, helpOf, readOptions, type Subcommand } from "./options.ts";
import { createProgress } from "./progress.ts";
import { exitCodes, UserError } from "./user-error.ts";
import { version } from "./version.ts";
import { reasonOf } from "./whole-file.ts";

/** Runs what the arguments ask for, and sets the exit code. */
export async function runCommandLine(): Promise<void> {
  const progress = createProgress(process.stderr, performance.now.bind(performance));
  watchOutput();

  try {
    process.exitCode = await main(process.argv.slice(2), {
      variables: process.env,
      isColoured: isColoured(process.stdout.isTTY === true, process.env),
      print: (text) => {
        progress.erase();
        console.log(text);
      },
      printError: (text) => {
        progress.erase();
        console.error(text);
      },
      progress: progress.show,
      stopped: stopSignal,
    });
    progress.erase();
  } catch (error) {
    progress.erase();
    if (error instanceof UserError) {
      console.error(error.message);
      process.exitCode = error.exitCode;
    } else {
      console.error(
        `Understudy has a bug: ${error instanceof Error ? error.message : String(error)}. Please report it with what you ran.`,
      );
      process.exitCode = exitCodes.fault;
    }
  }
}

/**
 * What cannot be printed is lost, and nobody should take an empty file for a verdict. Whoever closed a pipe has read enough.
 */
function watchOutput(): void {
  let problem: string | undefined;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || problem !== undefined) return;
    problem = reasonOf(error);
    console.error(`What was to be printed is lost: the output cannot be written (${problem}).`);
  });
  process.stderr.on("error", () => undefined);
  process.on("exit", () => {
    if (problem !== undefined && (process.exitCode ?? exitCodes.fine) === exitCodes.fine)
      process.exitCode = exitCodes.usage;
  });
}

/** The command line: the only place that reads arguments, prints or exits. */
async function main(words: readonly string[], environment: Environment): Promise<number> {
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
      )}`,
    );
  const command = await listed.load();
  const inner = command.subcommands?.find((candidate) => candidate.name === `${name} ${rest[0]}`);
  return inner === undefined
    ? runOrHelp({ ...command, summary: listed.summary }, rest, environment)
    : runOrHelp(inner, rest.slice(1), environment);
}

async function runOrHelp(command: Subcommand, words: readonly string[], environment: Environment): Promise<number> {
  const options = readOptions(command, words, environment.variables);
  if (!options.flag("help")) return command.run(options, environment);
  environment.print(helpOf(command));
  return exitCodes.fine;
}

function overview(): string {
  const lines = commands.map((command) => `  ${command.name.padEnd(10)} ${command.summary}`);
  return [
    "Usage: understudy COMMAND [flags]",
    "",
    ...lines,
    "",
    "understudy COMMAND --help says more, understudy --version the version. Exit codes: 0 fine, 1 findings, 2 usage or bad file, 3 target not reachable, 4 our own bug, 130 interrupted.",
  ].join("\n");
}

/** Resolves at the first SIGINT or SIGTERM; a second one, of either kind, ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.on(signal, () => {
        if (isStopping) process.exit(exitCodes.interrupted);
        isStopping = true;
        resolve();
      });
  });
}

/** Colours for a terminal that takes them; NO_COLOR and FORCE_COLOR have the last word (no-color.org). */
function isColoured(isTerminal: boolean, { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0";
  return isTerminal && TERM !== "dumb";
}
