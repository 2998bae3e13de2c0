import { rmSync, statSync } from "node:fs";
import { diskFiles } from "../../library/files.ts";
import { fileOf, type NamedFile } from "../files/named-file.ts";
import { checkWritable, writeWhole } from "../files/write-whole.ts";
import type { Options } from "../options.ts";
import { UserError } from "../user-error.ts";

/** The file that tells others where a server responds: it is there as long as the server is. */
export interface ReadyFile {
  /** To be called when the server responds. */
  write(url: string): void;
  /** To be called when it responds no more; what another server has written there since stays. */
  remove(): void;
}

/** The file that `--ready-file` names, if it does. An old one goes, so that nobody who waits for it finds that. */
export function readyFileOf(options: Options, inputs: readonly NamedFile[] = []): ReadyFile {
  const file = fileOf("ready-file", options);
  if (file === undefined) return { write: () => undefined, remove: () => undefined };
  checkWritable(file, inputs);
  if (!isReadyText(textOf(file.path)))
    throw new UserError(`${file.name} is there and is no ready file; it would be lost. Name another for --ready-file.`);
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

/** Whether a text is what a server writes there, or nothing at all, as `mktemp` makes it. */
function isReadyText(text: string): boolean {
  return /^(?:https?:\/\/\S+)?\s*$/.test(text);
}

const readyBytesMax = 1000;

function textOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return "";
  if (!found.isFile() || found.size > readyBytesMax) return "no ready file";
  return diskFiles.read(path) ?? "no ready file";
}
