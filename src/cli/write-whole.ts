import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { UserError } from "./user-error.ts";

/** Refuses, before any work is done, a file that cannot be written or that is read at the same time. */
export function checkWritable(file: string, inputs: readonly string[]): void {
  const folder = dirname(resolve(file));
  if (inputs.some((input) => resolve(input) === resolve(file)))
    throw new UserError(`${file} is read as well; it would be overwritten. Write to another file.`);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UserError(`${file} cannot be written: there is no folder ${folder}.`);
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new UserError(`${file} cannot be written: it is a folder.`);
}

/** Writes a file whole or not at all. Throws a UserError that names the file. */
export function writeWhole(file: string, text: string): void {
  const part = `${file}.part-${process.pid}`;
  try {
    writeFileSync(part, text);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UserError(`${file} cannot be written (${reason}).`);
  }
}
