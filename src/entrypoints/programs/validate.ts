import { filesLike, type OptionChecks, optionProblem, text } from "../library/option-checks.ts";
import { callProgram } from "./call-program.ts";
import { matchingFiles } from "./files/matching-files.ts";
import type { ValidatedFile } from "./validate-files.ts";

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
export function validate(options: ValidateOptions): Promise<ValidateResult> {
  return callProgram(options, problemOf, async ({ caller: { folder } }) => {
    const { validateFiles } = await import("./validate-files.ts");
    const names = options.files.flatMap((file) => matchingFiles(file, folder));
    const files = await validateFiles(names, folder);
    return { isValid: files.every(({ problems }) => problems.length === 0), files };
  });
}

const checks: OptionChecks<ValidateOptions> = {
  files: filesLike("ledger.yaml"),
  folder: text,
};

function problemOf(options: ValidateOptions): string | undefined {
  return optionProblem(options, checks, "ValidateOptions", ["files"]);
}
