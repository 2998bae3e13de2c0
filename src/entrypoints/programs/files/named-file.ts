import { statSync } from "node:fs";
import { resolve } from "node:path";

/** A file or a folder: its name as the user wrote it, for messages, and its path. */
export interface NamedFile {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

/** The name `-` of a recording means standard input. */
export const standardInput = "-";

/** The file of a name from the command line or an environment variable, relative to the working folder. */
export function namedFile(name: string, { folder }: { readonly folder: string }): NamedFile {
  return { name, path: resolve(folder, name) };
}

/** The first file that is listed twice. */
export function namedTwice(files: readonly NamedFile[]): NamedFile | undefined {
  return files.find((file, index) => files.findIndex((other) => isSameFile(other, file)) < index);
}

/** Whether two names are one file: `a.har` and `A.har` are on Windows and macOS, where case does not matter. */
export function isSameFile({ path }: NamedFile, { path: other }: NamedFile): boolean {
  if (path === other) return true;
  if (path.toLowerCase() !== other.toLowerCase()) return false;
  const [one, two] = [path, other].map((name) => statSync(name, { bigint: true, throwIfNoEntry: false }));
  return one !== undefined && two !== undefined && one.dev === two.dev && one.ino === two.ino;
}
