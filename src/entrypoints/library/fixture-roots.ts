import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import type { NameRefusal } from "../../scenarios/files/load-scenario.ts";

const roots =
  "A scenario reads fixtures of its own project (its git repository, or else the topmost folder with a package.json), of the folder that the command is run in, and of the package. Copy the fixture there, or run the command in a folder that holds both.";

/** Folders that a scenario may read from beside its own project; absolute paths. */
export interface ReadingPlaces {
  /** The folder that the command is run in. */
  readonly folder: string;
  /** Holds the fixtures that come with the package. */
  readonly packageRoot: string;
}

/**
 * Why a name that a scenario gives a fixture may not be read; undefined where it may. A scenario may be somebody else's: what it
 * names must not lead out of the project, neither by `..` nor by a symbolic link.
 */
export function fixtureRefusal(
  scenario: string,
  name: string,
  { folder: run, packageRoot }: ReadingPlaces,
): NameRefusal | undefined {
  const form = formRefusal(name);
  if (form !== undefined) return form;
  const home = dirname(scenario);
  const homes = [home, realPathOf(home)];
  const isRunAbove = !isEverybodys(run) && homes.some((folder) => isWithin(folder, run));
  const folders = [packageRoot, ...homes.map(projectOf), ...(isRunAbove ? [run] : [])];
  const named = realPathOf(resolve(home, name));
  if (folders.some((folder) => isWithin(named, realPathOf(folder)))) return undefined;
  return { problem: "leads out of the project", advice: roots };
}

/** Names are the same on every system; some forms would make Windows ask a server, or a device, by looking alone. */
function formRefusal(name: string): NameRefusal | undefined {
  const advice = "Name the fixture relative to the scenario, with forward slashes: ../fixtures/ledger.yaml.";
  if (name.includes("\0")) return { problem: "holds a NUL character", advice };
  if (name.includes("\\")) return { problem: "has backslashes", advice };
  if (/^[A-Za-z]:/.test(name)) return { problem: "begins with a drive", advice };
  if (name.startsWith("//")) return { problem: "names another machine", advice };
  if (/(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d)(?:[./]|$)/i.test(name)) return { problem: "names a device", advice };
  return undefined;
}

/** The repository that holds a folder, or the topmost folder with a package.json, or the folder itself. */
function projectOf(folder: string): string {
  const above = [folder];
  for (let at = folder; dirname(at) !== at; at = dirname(at)) if (!isEverybodys(dirname(at))) above.push(dirname(at));
  const repository = above.find((candidate) => existsSync(resolve(candidate, ".git")));
  return repository ?? above.findLast((candidate) => existsSync(resolve(candidate, "package.json"))) ?? folder;
}

/** A folder that holds far more than a project, whatever else is in it. */
function isEverybodys(folder: string): boolean {
  return dirname(folder) === folder || folder === homeFolder();
}

/** Undefined for a user of whom the system knows no home, as in many containers. */
function homeFolder(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

/** Where a path leads once its links are followed; of one that leads nowhere, as far as it leads. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error) || dirname(path) === path) throw error;
    return resolve(realPathOf(dirname(path)), relative(dirname(path), path));
  }
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
