import type { ValidatedFile } from "../cli/validate.ts";
import { callCommand } from "./command-call.ts";

/** Options of `validate`. */
export interface ValidateOptions {
  /** Scenarios, fixtures, configs, target and Pact files. */
  readonly files: readonly string[];
  /** Folder that relative file names start from. Default: the working folder. */
  readonly folder?: string;
}

/** The files with their problems, in the order in which they were given. */
export interface ValidateResult {
  /** Whether no file has a problem. */
  readonly isValid: boolean;
  readonly files: readonly ValidatedFile[];
}

/**
 * Validates files like `understudy validate`: their form, and every name that they refer to. Problems are data, each with
 * file, line and remedy. Rejects with an UnderstudyError for an invalid option.
 *
 * @example
 * const { isValid, files } = await validate({ files: ["ledger.yaml"] });
 */
export async function validate({ files, ...options }: ValidateOptions): Promise<ValidateResult> {
  const command = await import("../cli/validate.ts");
  return callCommand(command.validate, { ...options }, { files }, async (call) => {
    const validated = await command.validateFiles(call.options.positionals, call.environment.folder);
    return { isValid: validated.every(({ problems }) => problems.length === 0), files: validated };
  });
}
