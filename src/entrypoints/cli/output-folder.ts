import { mkdirSync, statSync } from "node:fs";
import { relative } from "node:path";
import { packagedFile } from "../library/files.ts";
import { type NamedFile, namedFile } from "../programs/files/named-file.ts";
import { reasonOf } from "../programs/files/system-error.ts";
import { UserError } from "../programs/user-error.ts";
import type { Options } from "./options.ts";

/** The folder of `--out`, which is created if it does not exist. */
export function outputFolder(options: Options): NamedFile {
  const folder = namedFile(options.text("out") ?? "generated", options);
  const found = statSync(folder.path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return folder;
  if (found !== undefined) throw new UserError(`--out ${folder.name} is a file. Name a folder.`);
  try {
    mkdirSync(folder.path, { recursive: true });
    return folder;
  } catch (error) {
    throw new UserError(`--out ${folder.name} cannot be created (${reasonOf(error)}).`);
  }
}

/** The path of an API description, relative to the folder of a scenario. */
export function descriptionPath(folder: NamedFile, name: string): string {
  return relativePath(folder, packagedFile(`contracts/${name}.yaml`));
}

/** A path relative to a folder, as files name other files. */
export function relativePath(folder: NamedFile, path: string): string {
  return relative(folder.path, path).replaceAll("\\", "/");
}
