import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { FileReader } from "../scenario/load-scenario.ts";

/** Reads scenarios and fixtures from disk. */
export const diskFiles: FileReader = {
  read: readText,
  resolve: (from, relative) => resolve(dirname(from), relative),
};

/** Undefined for what is no file or cannot be read. */
function readText(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? readFileSync(path, "utf8") : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

/** A file that comes with the package, from its root: from `src/cli` in a checkout and from `dist/cli` when installed. */
export function packagedFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/** What `serve` and the library start from when no scenario is named; a path within the package. */
export const quickstartScenario = "scenarios/quickstart.arazzo.yaml";
