import { formatProblem, type Problem } from "../../../scenarios/files/problem.ts";
import { exitCodes, UserError } from "../user-error.ts";

/** The error for problems of files. */
export function errorOfFiles(problems: readonly Problem[]): UserError {
  return new UserError(problems.map(formatProblem).join("\n"), exitCodes.usage, problems);
}
