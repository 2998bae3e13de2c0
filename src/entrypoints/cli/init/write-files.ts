import { accessSync, constants, mkdirSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { NamedFile } from "../../programs/files/named-file.ts";
import { checkReplaceable, statsOf } from "../../programs/files/replaceable.ts";
import { reasonOf } from "../../programs/files/system-error.ts";
import { isExisting, writeWhole } from "../../programs/files/write-whole.ts";
import { UserError } from "../../programs/user-error.ts";
import type { PlannedFile } from "./planned-file.ts";

/** Throws a UserError where a file, or a link that leads nowhere, is in the place of a folder. */
export function checkFolder(file: NamedFile): void {
  const folder = nearestExisting(dirname(file.path));
  const found = statsOf(file, () => statSync(folder, { throwIfNoEntry: false }));
  if (found?.isDirectory() !== true)
    throw new UserError(`${file.name} cannot be written: ${folder} is not a folder. Rename it. Nothing was written.`);
}

/** Checks that all files can be written. Throws a UserError for the first that cannot. */
export function checkFiles(files: readonly PlannedFile[]): void {
  for (const { file, action } of files) {
    if (action === "change") checkReplaceable(file);
    try {
      accessSync(action === "change" ? file.path : nearestExisting(dirname(file.path)), constants.W_OK);
    } catch (error) {
      throw new UserError(`${file.name} cannot be written (${reasonOf(error)}). Nothing was written.`);
    }
  }
}

function nearestExisting(path: string): string {
  return isExisting({ name: path, path }) ? path : nearestExisting(dirname(path));
}

/** Writes all files, or none: if one cannot be written, those before it are removed. A changed file comes last. */
export function writeFiles(files: readonly PlannedFile[]): void {
  const created: string[] = [];
  try {
    for (const { file, text } of files.filter(({ action }) => action === "create")) {
      const folder = mkdirSync(dirname(file.path), { recursive: true });
      if (folder !== undefined) created.unshift(folder);
      writeWhole(file, text, { isReplacing: false });
      created.unshift(file.path);
    }
    for (const { file, text } of files.filter(({ action }) => action === "change"))
      writeWhole(file, text, { isReplacing: true });
  } catch (error) {
    for (const path of created) rmSync(path, { recursive: true, force: true });
    if (error instanceof UserError) throw new UserError(`${error.message} Nothing was written.`);
    throw error;
  }
}
