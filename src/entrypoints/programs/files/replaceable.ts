import { lstatSync, readlinkSync, type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { UserError } from "../user-error.ts";
import type { NamedFile } from "./named-file.ts";
import { reasonOf } from "./system-error.ts";

/**
 * Refuses a name under which there is something other than a regular file: a folder, a device, a pipe, or a link to one.
 * Replacing it would remove it for every program: `/dev/stdout` is a link to an open file of the process.
 */
export function checkReplaceable(file: NamedFile): void {
  const found = statsOf(file, () => statSync(file.path, { throwIfNoEntry: false }));
  if (found?.isDirectory() === true) throw new UserError(`${file.name} cannot be written: it is a folder.`);
  if (found?.isFile() === false || leadsToOpenFile(file))
    throw new UserError(`${file.name} cannot be written: it is not a regular file. Name a new file.`);
}

/** The result of a system call about a file. Throws a UserError that names the file. */
export function statsOf(file: NamedFile, look: () => Stats | undefined): Stats | undefined {
  try {
    return look();
  } catch (error) {
    throw new UserError(`${file.name} cannot be written (${reasonOf(error)}).`);
  }
}

/** Number of links that a system follows. */
const linksMax = 40;

/** Whether the name is a link of the system, such as `/dev/stdout` or `/proc/self/fd/1`, or leads to one. */
function leadsToOpenFile(file: NamedFile): boolean {
  let path = file.path;
  for (let links = 0; links < linksMax; links += 1) {
    const at = path;
    if (statsOf(file, () => lstatSync(at, { throwIfNoEntry: false }))?.isSymbolicLink() !== true) return false;
    if (/^\/(?:dev|proc)\//.test(at)) return true;
    path = resolve(dirname(at), readlinkSync(at));
  }
  return false;
}
