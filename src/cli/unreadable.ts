import { statSync } from "node:fs";
import { UserError } from "./user-error.ts";

/** Says of a file that cannot be read what it is, where it is no file. */
export function unreadable(file: string): UserError {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true
    ? new UserError(`${file} is a folder. Name a file in it.`)
    : new UserError(`There is no file ${file}, or it cannot be read.`);
}
