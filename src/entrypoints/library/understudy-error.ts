import { formatProblem, type Problem } from "../../scenarios/files/problem.ts";

/**
 * A problem of what a program gives to Understudy: an option, a file, or a target that does not respond. The message says
 * what is wrong, where, and what to do.
 *
 * @example
 * const error = await run({ scenarios: ["first.arazzo.yaml"] }).catch((error) => error);
 * if (error instanceof UnderstudyError) report(error.problems.map(({ file, line, advice }) => `${file}:${line}: ${advice}`));
 */
export class UnderstudyError extends Error {
  /** `input`: an option or a file is wrong. `unreachable`: the target does not respond. */
  readonly type: "input" | "unreachable";
  /** Each problem of a file with its line, counted from 1, and the remedy; empty for a problem elsewhere. */
  readonly problems: readonly Problem[];

  constructor(message: string, type: UnderstudyError["type"] = "input", problems: readonly Problem[] = []) {
    super(message);
    this.name = "UnderstudyError";
    this.type = type;
    this.problems = problems;
  }
}

/** The error for problems of files. */
export function errorOfProblems(problems: readonly Problem[]): UnderstudyError {
  return new UnderstudyError(problems.map(formatProblem).join("\n"), "input", problems);
}
