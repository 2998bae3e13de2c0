import type { Problem } from "../../scenarios/files/problem.ts";

export const exitCodes = {
  fine: 0,
  findings: 1,
  usage: 2,
  unreachable: 3,
  fault: 4,
  incomplete: 5,
  interrupted: 130,
} as const;

/** A problem of the user: what failed and what to do. The command line prints it and exits with `exitCode`. */
export class UserError extends Error {
  readonly exitCode: number;
  /** The problems of files; empty for a problem elsewhere. */
  readonly problems: readonly Problem[];

  constructor(message: string, exitCode: number = exitCodes.usage, problems: readonly Problem[] = []) {
    super(message);
    this.name = "UserError";
    this.exitCode = exitCode;
    this.problems = problems;
  }
}
