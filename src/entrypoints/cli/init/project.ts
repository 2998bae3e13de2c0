import { existsSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { diskFiles } from "../../library/files.ts";
import { foldersAbove, type Manifest, readManifest } from "./manifest.ts";

export const frameworks = ["vitest", "jest", "node-test"] as const;
export type Framework = (typeof frameworks)[number];
type Language = "TypeScript" | "JavaScript";
export type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

/** A value that was found, and where. */
interface Found<Value> {
  readonly value: Value;
  readonly place: string;
}

/** What `init` has to know of a project. */
export interface Project {
  /** Absolute path of the folder with the package.json. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** The test frameworks; empty if none was found. The one that `npm test` runs comes first. */
  readonly frameworks: readonly Found<Framework>[];
  readonly language: Found<Language>;
  readonly packageManager: PackageManager;
  /** Absolute path of the root of the git repository, or the folder itself outside of a repository. */
  readonly repository: string;
  readonly isOnGithub: boolean;
}

/** Reads the project in a folder. Throws a UserError for a folder without a valid package.json. */
export function readProject(folder: string): Project {
  const manifest = readManifest(folder);
  const repository =
    [folder, ...foldersAbove(folder)].find((candidate) => existsSync(join(candidate, ".git"))) ?? folder;
  return {
    folder,
    manifest,
    frameworks: frameworksFrom(folder, repository),
    language: languageOf(folder, manifest),
    packageManager: packageManagerOf(folder, manifest, repository),
    repository,
    isOnGithub: isOnGithub(repository),
  };
}

const scriptPatterns: Readonly<Record<Framework, RegExp>> = {
  vitest: /\bvitest\b/,
  jest: /\bjest\b/,
  "node-test": /\bnode\b.* --test\b/,
};
const configPatterns: Readonly<Record<Framework, RegExp>> = {
  vitest: /^vitest\.(?:config|workspace)\.[cm]?[jt]s$/,
  jest: /^jest\.config\.(?:[cm]?[jt]s|json)$/,
  "node-test": /^$/,
};

/** The frameworks of the project, or else of the nearest project around it in the repository, such as the root of a workspace. */
function frameworksFrom(folder: string, repository: string): readonly Found<Framework>[] {
  for (const candidate of within(folder, repository)) {
    const manifest = manifestIn(candidate, folder);
    if (manifest === undefined) continue;
    const found = frameworksOf(candidate, manifest);
    const shown = found.map(({ value, place }) => ({ value, place: nameIn(folder, join(candidate, place)) }));
    if (shown.length > 0) return shown;
  }
  return [];
}

/** The frameworks of the project in a folder, with the file that names each. */
function frameworksOf(folder: string, { scripts, dependencies, value }: Manifest): readonly Found<Framework>[] {
  const files = readdirSync(folder);
  const isNamed = (framework: Framework) =>
    framework in dependencies ||
    (framework === "jest" && "jest" in value) ||
    Object.values(scripts).some((script) => scriptPatterns[framework].test(String(script)));
  const found = frameworks.flatMap((framework) => {
    const config = files.find((file) => configPatterns[framework].test(file));
    const place = isNamed(framework) ? "package.json" : config;
    return place === undefined ? [] : { value: framework, place };
  });
  const isTested = ({ value: framework }: Found<Framework>) =>
    scriptPatterns[framework].test(String(scripts["test"] ?? ""));
  return found.toSorted((left, right) => Number(isTested(right)) - Number(isTested(left)));
}

function languageOf(folder: string, { dependencies }: Manifest): Found<Language> {
  if (existsSync(join(folder, "tsconfig.json"))) return { value: "TypeScript", place: "tsconfig.json" };
  if ("typescript" in dependencies) return { value: "TypeScript", place: "package.json" };
  return { value: "JavaScript", place: "no tsconfig.json" };
}

const lockFiles: ReadonlyMap<string, PackageManager> = new Map([
  ["package-lock.json", "npm"],
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
]);

/** The nearest lock file of the repository decides, unless package.json names the package manager. */
function packageManagerOf(folder: string, { value }: Manifest, repository: string): PackageManager {
  const [, named] = /^(npm|pnpm|yarn|bun)@/.exec(String(value["packageManager"] ?? "")) ?? [];
  const known = [...lockFiles.values()].find((manager) => manager === named);
  if (known !== undefined) return known;
  for (const candidate of within(folder, repository))
    for (const [file, manager] of lockFiles) if (existsSync(join(candidate, file))) return manager;
  return "npm";
}

/** The package.json of a folder around the project, undefined if it has none. A message names it from the project's folder. */
function manifestIn(candidate: string, folder: string): Manifest | undefined {
  const path = join(candidate, "package.json");
  return existsSync(path) ? readManifest(candidate, nameIn(folder, path)) : undefined;
}

/**
 * The folder whose node_modules has a package: of the project, or around it. Before the package is installed, the one where the
 * package manager puts it: the root of a workspace, but not with pnpm.
 */
export function installFolderOf({ folder, repository, packageManager }: Project, name: string): string {
  const around = within(folder, repository);
  const installed = around.find((candidate) => existsSync(join(candidate, "node_modules", name)));
  if (installed !== undefined || packageManager === "pnpm") return installed ?? folder;
  return around.find((candidate) => "workspaces" in (manifestIn(candidate, folder)?.value ?? {})) ?? folder;
}

/** The folder and those around it, up to the root of the repository. */
function within(folder: string, repository: string): readonly string[] {
  const around = foldersAbove(folder).filter((candidate) => `${candidate}${sep}`.startsWith(`${repository}${sep}`));
  return [folder, ...around];
}

/** Whether the repository has workflows, or a remote at github.com. */
function isOnGithub(repository: string): boolean {
  if (existsSync(join(repository, ".github"))) return true;
  return /\burl = .*\bgithub\.com\b/.test(diskFiles.read(join(repository, ".git/config")) ?? "");
}

/** The name of a path for messages and config files: relative to the folder, with slashes. */
export function nameIn(folder: string, path: string): string {
  return relative(folder, path).replaceAll(sep, "/");
}
