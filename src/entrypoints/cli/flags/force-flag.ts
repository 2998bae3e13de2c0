import type { NamedFile } from "../../programs/files/named-file.ts";
import { alreadyThere } from "../../programs/files/whole-file.ts";
import { checkWritable, isExisting } from "../../programs/files/write-whole.ts";
import { booleanFlag, type Flag, type Options } from "../options.ts";

/** The flag of every command that writes files. */
export const forceFlag: Flag = booleanFlag("force", "replace existing files");

/** Refuses an existing file without `--force`. */
export function checkNew(file: NamedFile, inputs: readonly NamedFile[], options: Options): void {
  checkWritable(file, inputs);
  if (isExisting(file) && !options.flag("force")) throw alreadyThere(file);
}
