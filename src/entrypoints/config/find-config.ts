import { existsSync } from "node:fs";
import { join } from "node:path";

/** Names of config files in the working folder. */
const configNames: readonly string[] = ["ts", "mts", "js", "mjs", "yaml", "yml"].map(
  (ending) => `understudy.config.${ending}`,
);

/** Names that other tools read, but Understudy does not. */
const unreadNames: readonly string[] = ["json", "jsonc", "json5", "cjs", "cts", "toml"].map(
  (ending) => `understudy.config.${ending}`,
);

/** A file in a folder that looks like a config file and is not read as one. */
export function unreadConfigIn(folder: string): string | undefined {
  return unreadNames.find((name) => existsSync(join(folder, name)));
}

/** The config files in a folder. */
export function configsIn(folder: string): readonly string[] {
  return configNames.filter((name) => existsSync(join(folder, name)));
}
