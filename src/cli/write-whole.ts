import { lstatSync, type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Flag, Options } from "./options.ts";
import { UserError } from "./user-error.ts";
import { alreadyThere, reasonOf, WholeFile, type WholeFileSettings } from "./whole-file.ts";

/** Refuses, before any work is done, a file that cannot be written or that is read at the same time. */
export function checkWritable(file: string, inputs: readonly string[]): void {
  const folder = dirname(resolve(file));
  if (inputs.some((input) => resolve(input) === resolve(file)))
    throw new UserError(`${file} is read as well; it would be overwritten. Write to another file.`);
  if (found(file, () => statSync(folder, { throwIfNoEntry: false }))?.isDirectory() !== true)
    throw new UserError(`${file} cannot be written: there is no folder ${folder}.`);
  const there = found(file, () => statSync(file, { throwIfNoEntry: false }));
  if (there?.isDirectory() === true) throw new UserError(`${file} cannot be written: it is a folder.`);
  if (there?.isFile() === false)
    throw new UserError(`${file} cannot be written: it is no plain file. Write to another one.`);
}

function found(file: string, look: () => Stats | undefined): Stats | undefined {
  try {
    return look();
  } catch (error) {
    throw new UserError(`${file} cannot be written (${reasonOf(error)}).`);
  }
}

/** Whether something has this name, also a symbolic link that leads nowhere. */
export function isThere(file: string): boolean {
  return found(file, () => lstatSync(file, { throwIfNoEntry: false })) !== undefined;
}

/** The flag of every command that writes files for its user. */
export const forceFlag: Flag = { name: "force", type: "boolean", help: "replace files that are there" };

/** What a command writes for its user: a file that is there stays, unless the flag says otherwise. */
export function checkNew(file: string, inputs: readonly string[], options: Options): void {
  checkWritable(file, inputs);
  if (isThere(file) && !options.flag("force")) throw alreadyThere(file);
}

/** Writes a file whole or not at all. Throws a UserError that names the file. */
export function writeWhole(file: string, text: string, settings: WholeFileSettings): void {
  using whole = new WholeFile(file, settings);
  whole.write(text);
  whole.finish();
}
