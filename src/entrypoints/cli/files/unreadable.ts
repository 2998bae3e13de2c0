import { type Stats, statSync } from "node:fs";
import { UserError } from "../user-error.ts";
import type { NamedFile } from "./named-file.ts";

/** The error for a file that is missing, not readable or a folder. */
export function unreadable({ name, path }: NamedFile): UserError {
  const found = statsAt(path);
  if (found?.isDirectory() === true) return new UserError(`${name} is a folder. Name a file in it.`);
  return found === undefined
    ? new UserError(`${name}: the file does not exist. Check the path.`)
    : new UserError(`${name}: the file is not readable. Check its permissions.`);
}

/** What a path names; undefined if it does not exist, also for a path below a file. */
function statsAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
