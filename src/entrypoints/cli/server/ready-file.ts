import { rmSync, statSync } from "node:fs";
import { diskFiles } from "../../library/files.ts";
import type { NamedFile } from "../../programs/files/named-file.ts";
import { checkWritable, writeWhole } from "../../programs/files/write-whole.ts";
import { UserError } from "../../programs/user-error.ts";
import { fileOf } from "../flags/file-of.ts";
import type { Options } from "../options.ts";

/** A file with the URL of a server. It exists while the server responds. */
export interface ReadyFile {
  /** Writes the URL. Call it when the server responds. */
  write(url: string): void;
  /** Removes the file. Call it when the server no longer responds. A URL that another server wrote stays. */
  remove(): void;
}

/** The file of `--ready-file`. An old one is removed, so that a waiting process cannot read its URL. */
export function readyFileOf(options: Options, inputs: readonly NamedFile[] = []): ReadyFile {
  const file = fileOf("ready-file", options);
  if (file === undefined) return { write: () => undefined, remove: () => undefined };
  checkWritable(file, inputs);
  if (!isReadyText(textOf(file.path)))
    throw new UserError(`${file.name} exists and is not a ready file. Use another file for --ready-file.`);
  rmSync(file.path, { force: true });
  let written: string | undefined;
  return {
    write: (url) => {
      written = `${url}\n`;
      writeWhole(file, written, { isReplacing: true });
    },
    remove: () => {
      if (written !== undefined && textOf(file.path) === written) rmSync(file.path, { force: true });
    },
  };
}

/** Whether a text is a URL, or empty as in a file from `mktemp`. */
function isReadyText(text: string): boolean {
  return /^(?:https?:\/\/\S+)?\s*$/.test(text);
}

const readyBytesMax = 1000;

function textOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return "";
  if (!found.isFile() || found.size > readyBytesMax) return "not a ready file";
  return diskFiles.read(path) ?? "not a ready file";
}
