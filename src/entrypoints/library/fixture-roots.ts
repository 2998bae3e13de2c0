import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import nodePath, { dirname, type PlatformPath, relative, resolve } from "node:path";
import type { ProblemText } from "../../scenarios/files/problem.ts";

const roots =
  "A scenario reads fixtures from its own project (its git repository, or else the topmost folder with a package.json), from the working directory, and from the package. Copy the fixture there, or run the command in a folder that contains both.";

/** Folders that a scenario may read from in addition to its own project; absolute paths. */
interface ReadableFolders {
  /** Working directory of the command. */
  readonly folder: string;
  /** Folder of the package, with the built-in fixtures. */
  readonly packageRoot: string;
}

/**
 * Checks whether a scenario may read a fixture; undefined if it may, else the problem. Scenarios can come from third parties:
 * a fixture path must stay inside the project, after `..` and symbolic links are resolved.
 */
export function fixtureRefusal(
  scenario: string,
  name: string,
  { folder: run, packageRoot }: ReadableFolders,
): ProblemText | undefined {
  const form = formRefusal(name);
  if (form !== undefined) return form;
  const home = dirname(scenario);
  const homes = [home, realPathOf(home)];
  const isRunAbove = !isSharedFolder(run) && homes.some((folder) => isWithin(folder, run));
  const folders = [packageRoot, ...homes.map(projectOf), ...(isRunAbove ? [run] : [])];
  const named = realPathOf(resolve(home, name));
  if (folders.some((folder) => isWithin(named, realPathOf(folder)))) return undefined;
  return { problem: "is outside the project", advice: roots };
}

/** Refuses paths that depend on the system. On Windows, some forms access another machine or a device as soon as they are opened. */
function formRefusal(name: string): ProblemText | undefined {
  const advice = "Name the fixture relative to the scenario, with forward slashes: ../fixtures/ledger.yaml.";
  if (name.includes("\0")) return { problem: "contains a NUL character", advice };
  if (name.includes("\\")) return { problem: "contains backslashes", advice };
  if (/^[A-Za-z]:/.test(name)) return { problem: "starts with a drive letter", advice };
  if (name.startsWith("//")) return { problem: "is a network path", advice };
  if (/(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d)(?:[./]|$)/i.test(name))
    return { problem: "is the name of a device", advice };
  return undefined;
}

/** The git repository that contains a folder, or else the topmost folder with a package.json, or else the folder itself. */
function projectOf(folder: string): string {
  const above = [folder];
  for (let at = folder; dirname(at) !== at; at = dirname(at)) if (!isSharedFolder(dirname(at))) above.push(dirname(at));
  const repository = above.find((candidate) => existsSync(resolve(candidate, ".git")));
  return repository ?? above.findLast((candidate) => existsSync(resolve(candidate, "package.json"))) ?? folder;
}

/** Whether a folder is the root of the file system or the home folder: these contain more than one project. */
function isSharedFolder(folder: string): boolean {
  return dirname(folder) === folder || folder === homeFolder();
}

/** The user's home folder; undefined if the system has none for the user, as in many containers. */
function homeFolder(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

/** The path with its symbolic links resolved. Of a path that does not exist, links are resolved as far as it exists. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error) || dirname(path) === path) throw error;
    return resolve(realPathOf(dirname(path)), relative(dirname(path), path));
  }
}

/** Whether an absolute path is a folder or in it, with the rules of the system or of another one. */
export function isWithin(path: string, folder: string, system: PlatformPath = nodePath): boolean {
  const inner = system.relative(folder, path);
  return inner !== ".." && !inner.startsWith(`..${system.sep}`) && !system.isAbsolute(inner);
}
