export const exitCodes = { fine: 0, findings: 1, usage: 2, unreachable: 3, fault: 4, interrupted: 130 } as const;

/** A problem of the user: what failed and what to do. The command line prints it and exits with `exitCode`. */
export class UserError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.usage) {
    super(message);
    this.name = "UserError";
    this.exitCode = exitCode;
  }
}
