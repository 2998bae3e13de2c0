import { type NamedFile, namedFile } from "../../programs/files/named-file.ts";
import type { Options } from "../options.ts";

/** The file that a flag names; undefined where the flag is not given. */
export function fileOf(flag: string, options: Pick<Options, "text" | "folder">): NamedFile | undefined {
  const name = options.text(flag);
  return name === undefined ? undefined : namedFile(name, options);
}
