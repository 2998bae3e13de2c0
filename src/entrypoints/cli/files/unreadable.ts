import { statSync } from "node:fs";
import { UserError } from "../user-error.ts";
import type { NamedFile } from "./named-file.ts";

/** Says of a file that cannot be read what it is, where it is no file. */
export function unreadable({ name, path }: NamedFile): UserError {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    ? new UserError(`${name} is a folder. Name a file in it.`)
    : new UserError(`There is no file ${name}, or it cannot be read.`);
}
