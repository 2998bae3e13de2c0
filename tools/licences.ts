import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The licences of the libraries that these files are of, which ask to be handed on with the code. */
export function licencesOf(files: Iterable<string>): string {
  const byFolder = Map.groupBy([...files].sort(), folderOf);
  return [...byFolder].map(([folder, own]) => licenceOf(folder, own)).join("\n");
}

/** The package's own folder, which may be in the folder of another one. */
function folderOf(file: string): string {
  const folder = /^.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0];
  if (folder === undefined) throw new Error(`${file} is of no library`);
  return folder;
}

function licenceOf(folder: string, files: readonly string[]): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((candidate) => /^licen[cs]e/i.test(candidate));
  const text = file === undefined ? notices(files) : readFileSync(join(folder, file), "utf8");
  return `${name} ${version}: ${license}\n\n${text}\n`;
}

/** Of a package without a file for it: what its sources say at their beginning. */
function notices(files: readonly string[]): string {
  const found = files.map((file) => /^(?:\/\/.*\n)+/.exec(readFileSync(file, "utf8"))?.[0] ?? "");
  return [...new Set(found)].join("\n").replaceAll(/^\/\/ ?/gm, "");
}
