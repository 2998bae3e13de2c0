/** What stands around the entries of a recording that grows: valid HAR 1.2 after every append, one entry a line. */
export function openingOf(creatorVersion: string): string {
  const creator = JSON.stringify({ name: "canton-understudy", version: creatorVersion });
  return `{"log":{"version":"1.2","creator":${creator},"entries":[`;
}

/** What an append overwrites. */
export const closing = "\n]}}";

/** What is written over the closing: the entries, each a line, and a new closing. */
export function appended(entries: readonly string[], isFirst: boolean): string {
  return `${isFirst ? "\n" : ",\n"}${entries.join(",\n")}${closing}`;
}
