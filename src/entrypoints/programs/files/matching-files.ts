import { existsSync, globSync } from "node:fs";
import { resolve } from "node:path";

/** The files that a pattern with `*` matches, in order of their names; the word itself if it is a file or matches none. */
export function matchingFiles(word: string, folder: string): readonly string[] {
  if (!word.includes("*") || existsSync(resolve(folder, word))) return [word];
  const found = globSync(word, { cwd: folder });
  return found.length === 0 ? [word] : found.sort();
}
