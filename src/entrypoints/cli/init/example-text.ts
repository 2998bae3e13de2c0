import { readFileSync } from "node:fs";
import { packagedFile } from "../../library/files.ts";

/** The text of a file in `examples/init`, where each name of `replacements` is replaced by its value. */
export function exampleText(name: string, replacements: Readonly<Record<string, string>> = {}): string {
  const text = readFileSync(packagedFile(`examples/init/${name}`), "utf8");
  return Object.entries(replacements).reduce((filled, [from, to]) => filled.replaceAll(from, () => to), text);
}
