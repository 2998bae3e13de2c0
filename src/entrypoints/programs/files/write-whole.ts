import { lstatSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { UserError } from "../user-error.ts";
import { isSameFile, type NamedFile } from "./named-file.ts";
import { checkReplaceable, statsOf } from "./replaceable.ts";
import { WholeFile, type WholeFileOptions } from "./whole-file.ts";

/** Refuses, before the work begins, a file that cannot be written or that the command also reads. */
export function checkWritable(file: NamedFile, inputs: readonly NamedFile[]): void {
  const folder = dirname(file.path);
  if (inputs.some((input) => isSameFile(input, file)))
    throw new UserError(`${file.name} is the input and would be overwritten. Write to another file.`);
  if (statsOf(file, () => statSync(folder, { throwIfNoEntry: false }))?.isDirectory() !== true)
    throw new UserError(`${file.name} cannot be written: there is no folder ${folder}. Create it first.`);
  checkReplaceable(file);
}

/** Whether the name exists, even as a symbolic link to a missing file. */
export function isExisting(file: NamedFile): boolean {
  return statsOf(file, () => lstatSync(file.path, { throwIfNoEntry: false })) !== undefined;
}

/** Writes a file completely or not at all. Throws a UserError that names the file. */
export function writeWhole(file: NamedFile, text: string, options: WholeFileOptions): void {
  using whole = new WholeFile(file, options);
  whole.write(text);
  whole.finish();
}
