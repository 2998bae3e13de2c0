import { existsSync } from "node:fs";
import { join } from "node:path";

/** Names of config files in the working folder. */
export const configNames: readonly string[] = ["ts", "mts", "js", "mjs", "yaml", "yml"].map(
  (ending) => `understudy.config.${ending}`,
);

/** The config files in a folder. */
export function configsIn(folder: string): readonly string[] {
  return configNames.filter((name) => existsSync(join(folder, name)));
}
