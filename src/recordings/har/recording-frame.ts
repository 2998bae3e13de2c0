/** The JSON before the entries of a growing recording. The file is valid HAR 1.2 after every append, with one entry per line. */
export function openingOf(creatorVersion: string): string {
  const creator = JSON.stringify({ name: "canton-understudy", version: creatorVersion });
  return `{"log":{"version":"1.2","creator":${creator},"entries":[`;
}

const opening =
  /^\{"log":\{"version":"1\.2","creator":\{"name":"canton-understudy","version":"[^"\\]*"\},"entries":\[\n/;

/** The opening of a recording, with its line end; undefined if the text does not begin with one. */
export function openingIn(text: string): string | undefined {
  return opening.exec(text)?.[0];
}

/** The bytes before each entry of a growing recording and its first bytes. No JSON text has a line end in a string. */
export const entryBegin = '\n{"startedDateTime":';

/** The end of the file, which an append overwrites. */
export const closing = "\n]}}";

/** The text that replaces the closing: one line per entry, and a new closing. */
export function appended(entries: readonly string[], isFirst: boolean): string {
  return `${isFirst ? "\n" : ",\n"}${entries.join(",\n")}${closing}`;
}
