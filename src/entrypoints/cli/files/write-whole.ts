import { lstatSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Flag, Options } from "../options.ts";
import { UserError } from "../user-error.ts";
import type { NamedFile } from "./named-file.ts";
import { alreadyThere, reasonOf, WholeFile, type WholeFileOptions } from "./whole-file.ts";

/** Refuses, before any work is done, a file that cannot be written or that is read at the same time. */
export function checkWritable(file: NamedFile, inputs: readonly NamedFile[]): void {
  const folder = dirname(file.path);
  if (inputs.some(({ path }) => path === file.path))
    throw new UserError(`${file.name} is read as well; it would be overwritten. Write to another file.`);
  if (found(file, () => statSync(folder, { throwIfNoEntry: false }))?.isDirectory() !== true)
    throw new UserError(`${file.name} cannot be written: there is no folder ${folder}.`);
  const there = found(file, () => statSync(file.path, { throwIfNoEntry: false }));
  if (there?.isDirectory() === true) throw new UserError(`${file.name} cannot be written: it is a folder.`);
  if (there?.isFile() === false)
    throw new UserError(`${file.name} cannot be written: it is no plain file. Write to another one.`);
}

function found(file: NamedFile, look: () => Stats | undefined): Stats | undefined {
  try {
    return look();
  } catch (error) {
    throw new UserError(`${file.name} cannot be written (${reasonOf(error)}).`);
  }
}

/** Whether something has this name, also a symbolic link that leads nowhere. */
export function isThere(file: NamedFile): boolean {
  return found(file, () => lstatSync(file.path, { throwIfNoEntry: false })) !== undefined;
}

/** The flag of every command that writes files for its user. */
export const forceFlag: Flag = { name: "force", type: "boolean", help: "replace existing files" };

/** What a command writes for its user: a file that is there stays, unless the flag says otherwise. */
export function checkNew(file: NamedFile, inputs: readonly NamedFile[], options: Options): void {
  checkWritable(file, inputs);
  if (isThere(file) && !options.flag("force")) throw alreadyThere(file);
}

/** Writes a file whole or not at all. Throws a UserError that names the file. */
export function writeWhole(file: NamedFile, text: string, settings: WholeFileOptions): void {
  using whole = new WholeFile(file, settings);
  whole.write(text);
  whole.finish();
}
