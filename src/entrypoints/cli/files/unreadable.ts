import { statSync } from "node:fs";
import { UserError } from "../user-error.ts";
import type { NamedFile } from "./named-file.ts";

/** The error for a file that is missing, not readable or a folder. */
export function unreadable({ name, path }: NamedFile): UserError {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    ? new UserError(`${name} is a folder. Name a file in it.`)
    : new UserError(`${name}: file not found or not readable.`);
}
