import type { LimitName } from "../../foundation/limits/limits.ts";
import { shortened } from "../../foundation/text/shortened.ts";

/** Longest text of an error: parts of it come from the archive. */
const textMax = 2000;

/** Why an archive is refused. Thrown while it is read, caught by `readDar`. */
export class ArchiveError extends Error {
  readonly code: ArchiveErrorCode;
  readonly context: Readonly<Record<string, string>>;
  /** The limit that the archive exceeds. */
  readonly limit: LimitName | undefined;

  constructor(
    code: ArchiveErrorCode,
    message: string,
    context: Readonly<Record<string, string>> = {},
    limit?: LimitName,
  ) {
    super(shortened(message, textMax));
    this.limit = limit;
    this.code = code;
    this.context = Object.fromEntries(Object.entries(context).map(([name, text]) => [name, shortened(text, textMax)]));
  }
}

type ArchiveErrorCode =
  | "ZIP_BOMB"
  | "INVALID_DAR"
  | "INVALID_ZIP_ENTRY"
  | "DAR_PARSE_ERROR"
  | "ALLOWED_LANGUAGE_VERSIONS"
  | "DAR_DEPENDENCIES_NOT_VALID";

// The texts of a node (Canton 3.5, PackageServiceErrors.scala).

export function invalidDar(context: Readonly<Record<string, string>> = {}): ArchiveError {
  return new ArchiveError("INVALID_DAR", "Dar file is corrupt", context);
}

export function parseError(reason: string): ArchiveError {
  return new ArchiveError("DAR_PARSE_ERROR", "Failed to parse the dar file content.", { reason });
}
