import { formatProblem } from "../../scenarios/files/problem.ts";
import { exitCodes, UserError } from "../programs/user-error.ts";
import { validateFiles } from "../programs/validate-files.ts";
import { isQuiet, quietFlag } from "./flags/quiet-flag.ts";
import type { Command, Environment, Options } from "./options.ts";

export const validate: Command = {
  name: "validate",
  usage: "validate FILE… [flags]",
  flags: [quietFlag],
  examples: [
    "understudy validate scenarios/*.yaml understudy.config.yaml target.yaml",
    "understudy validate my.arazzo.yaml pacts/wallet.json",
  ],
  run: runValidate,
};

async function runValidate(options: Options, environment: Environment): Promise<number> {
  if (options.positionals.length === 0)
    throw new UserError("validate needs at least one file: understudy validate my.arazzo.yaml");
  const results = await validateFiles(options.positionals, options.folder);
  const shown = new Set<string>();
  for (const { file, problems } of results) {
    if (options.flag("json")) environment.print(JSON.stringify({ event: "validated", file, problems }));
    else if (problems.length > 0) printNew(problems.map(formatProblem), shown, environment);
    else if (!isQuiet(options)) environment.print(`${file}: valid`);
  }
  return results.some(({ problems }) => problems.length > 0) ? exitCodes.usage : exitCodes.fine;
}

/** Prints each problem once: a scenario has the problems of its fixtures, which may be named too. */
function printNew(problems: readonly string[], shown: Set<string>, { print }: Environment): void {
  for (const problem of new Set(problems).difference(shown)) {
    print(problem);
    shown.add(problem);
  }
}
