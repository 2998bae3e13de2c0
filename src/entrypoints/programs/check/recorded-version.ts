import { statSync } from "node:fs";
import { namedFile } from "../files/named-file.ts";
import { type InputSource, openRecording } from "../files/recording.ts";
import { versionIn } from "../target/node-version.ts";
import { UserError } from "../user-error.ts";

/** Entries at the beginning of each recording in which the version is searched. */
const searchedMax = 1000;
/** Characters of a version that are kept. */
const versionLengthMax = 100;

/**
 * The version that the node of the recordings reports; undefined if none has it among its first entries. Input that can be
 * read only once, such as standard input, is not searched.
 */
export async function recordedVersion(files: readonly string[], source: InputSource): Promise<string | undefined> {
  for (const file of files) {
    if (!isRegularFile(namedFile(file, source).path)) continue;
    const version = await versionInFile(file, source);
    if (version !== undefined) return version.slice(0, versionLengthMax);
  }
  return undefined;
}

function isRegularFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** A problem of the file is reported by the check that reads it next. */
async function versionInFile(file: string, { folder, input }: InputSource): Promise<string | undefined> {
  try {
    for await (const item of openRecording(file, { folder, input })) {
      if (item.type !== "exchange") continue;
      const { request, response } = item.exchange;
      const version = /\/v2\/version\/?(?:\?|$)/.test(request.target) ? versionIn(response) : undefined;
      if (version !== undefined) return version;
      if (item.index + 1 >= searchedMax) return undefined;
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
  }
  return undefined;
}
