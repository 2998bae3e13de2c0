import { type Stats, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { folderAdvice } from "../../../scenarios/files/file-reader.ts";
import { missingFile, problemText } from "../../../scenarios/files/problem.ts";
import { diskFiles, filesIn } from "../../library/files.ts";
import { exitCodes, UserError } from "../user-error.ts";
import type { NamedFile } from "./named-file.ts";

/** The text of a file. Throws a UserError if it is missing, not readable or a folder. */
export function readText(file: NamedFile): string {
  const text = diskFiles.read(file.path);
  if (text === undefined) throw unreadable(file);
  return text;
}

/** Names of recordings, and of other files that commands read. */
const recorded = /\.(?:har|json|ya?ml|pem|gz|br|zst)$/;

/** The error for a file that is missing, not readable or a folder. */
export function unreadable(file: NamedFile): UserError {
  const found = statsAt(file.path);
  if (found === undefined) return notFound(file);
  if (found.isDirectory())
    return new UserError(`${file.name} is a folder. ${folderAdvice(file.name, filesIn(file.path, recorded))}`);
  return new UserError(`${file.name}: the file is not readable. Check its permissions.`);
}

/** The result of opening or reading a file. Rejects with a UserError if the system refuses it. */
export async function orUnreadable<Result>(file: NamedFile, result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code === "EIO" || error.code === "ESTALE") throw failedRead(file, error.code);
    throw unreadable(file);
  }
}

function failedRead({ name }: NamedFile, code: string): UserError {
  return new UserError(`${name}: reading failed (${code}). Check the disk or the network volume, and try again.`);
}

/** The error for a missing file, with the name of a file that resembles it. */
export function notFound({ name, path }: NamedFile): UserError {
  const near = diskFiles.similar?.(path);
  const shown = near === undefined ? undefined : join(dirname(name), basename(near));
  const missing = { file: name, line: undefined, column: undefined, ...missingFile(name, shown) };
  return new UserError(problemText(missing), exitCodes.usage, [missing]);
}

/** What a path names; undefined if it does not exist, also for a path below a file. */
export function statsAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
