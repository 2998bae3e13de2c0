import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, parse, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { suggestion } from "../../foundation/text/suggestion.ts";
import { wideText } from "../../foundation/text/wide-text.ts";
import type { FileReader } from "../../scenarios/files/file-reader.ts";
import type { PageFiles } from "../../stub/inspection/page.ts";
import { fixtureRefusal } from "./fixture-roots.ts";

/** A reader of scenarios and fixtures on disk. Relative paths are resolved against `folder`. */
export function filesFrom(folder: string): FileReader {
  return {
    read: (path) => readText(resolve(folder, path)),
    readBytes: (path) => readBytes(resolve(folder, path)),
    resolve: (from, path) => (isAbsolute(path) ? path : join(dirname(from), path)),
    unreadable: (path) => unreadableReason(resolve(folder, path)),
    similar: (name) => similarFile(name, folder) ?? similarPackaged(name),
    named: (name) => packagedNamed(name),
    inFolder: (path) => filesIn(resolve(folder, path), /\.(?:ya?ml|json)$/),
    refusal: (from, name) =>
      fixtureRefusal(resolve(folder, from), name, { folder: resolve(folder), packageRoot: packagedFile("") }),
  };
}

/** A reader of scenarios and fixtures whose relative paths are resolved against the working directory. */
export const diskFiles: FileReader = filesFrom("");

/** The text of a file; undefined if it is not a regular file or not readable. */
function readText(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? decoded(readFileSync(path)) : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function readBytes(path: string): Uint8Array | undefined {
  return unreadableReason(path) === undefined ? readFileSync(path) : undefined;
}

/** The text of a file, without a byte order mark. Windows PowerShell writes UTF-16 for `>`. */
function decoded(bytes: Uint8Array): string {
  return wideText(bytes) ?? new TextDecoder().decode(bytes);
}

/** The name in the same folder that resembles the name of a missing file; undefined if none does. */
function similarFile(name: string, folder: string): string | undefined {
  const inside = dirname(name);
  const near = suggestion(basename(name), namesIn(resolve(folder, inside)).filter(isComparable));
  // Without the ending, which many files share.
  if (near === undefined || suggestion(parse(name).name, [parse(near).name]) === undefined) return undefined;
  return inside === "." ? near : join(inside, near);
}

/** Whether a name is long enough that another one can resemble it. */
function isComparable(name: string): boolean {
  return parse(name).name.length > 2;
}

/** The names of the files of a folder that have one of the endings, in order. */
export function filesIn(folder: string, endings: RegExp): readonly string[] {
  return namesIn(folder)
    .filter((name) => endings.test(name))
    .sort();
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Why a file is not readable, to be written after its name; undefined if it is readable. */
function unreadableReason(path: string): string | undefined {
  try {
    const found = statSync(path);
    if (found.isDirectory()) return "is a folder";
    if (!found.isFile()) return "is not a regular file";
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return error.code === "ENOENT" || error.code === "ENOTDIR" ? "does not exist" : `is not readable (${error.code})`;
  }
}

/** Root of the package, in a checkout and when installed: the nearest folder above this file with a package.json. */
const packageRoot: string = rootAbove(dirname(fileURLToPath(import.meta.url)));

function rootAbove(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : rootAbove(dirname(folder));
}

/** Absolute path of a file of the package, from its path relative to the root. `""` gives the root with a trailing separator. */
export function packagedFile(path: string): string {
  return path === "" ? `${packageRoot}${sep}` : join(packageRoot, path);
}

/** Folders of the package whose files have names, with the ending of those. */
const namedFolders: readonly (readonly [folder: string, ending: string])[] = [
  ["scenarios", ".arazzo.yaml"],
  ["fixtures/ledgers", ".yaml"],
  ["fixtures/registries", ".yaml"],
  ["fixtures/targets", ".target.yaml"],
];

/**
 * The scenario or fixture of the package with a name such as `rights`, or a path such as `scenarios/rights.arazzo.yaml`.
 * With the kind `target`, the target with this name or path.
 */
export function packagedNamed(name: string, kind?: "target"): string | undefined {
  const folders = namedFolders.filter(([folder]) => kind === undefined || folder === "fixtures/targets");
  const paths = isBareName(name)
    ? folders.map(([folder, ending]) => `${folder}/${name}${ending}`)
    : folders.flatMap(([folder, ending]) => (name.startsWith(`${folder}/`) && name.endsWith(ending) ? [name] : []));
  return paths.map(packagedFile).find((path) => existsSync(path));
}

function isBareName(name: string): boolean {
  return /^[a-z][a-z0-9-]*$/.test(name);
}

function similarPackaged(name: string): string | undefined {
  if (!isBareName(name)) return undefined;
  const names = namedFolders.flatMap(([folder, ending]) =>
    namesIn(packagedFile(folder)).flatMap((file) => (file.endsWith(ending) ? [file.slice(0, -ending.length)] : [])),
  );
  return suggestion(name, names);
}

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=UTF-8",
  ".html": "text/html; charset=UTF-8",
  ".js": "text/javascript; charset=UTF-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=UTF-8",
};

/** Files of the built inspector by the URL paths under which they are served; empty if the inspector is not built. */
export function inspectorFiles(): PageFiles {
  const folder = packagedFile("dist/inspector");
  if (!existsSync(join(folder, "index.html"))) return new Map();
  try {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => extname(file) !== "");
    return new Map(
      files.map((file) => {
        const path = `/${file.replaceAll("\\", "/")}`;
        const contentType = contentTypes[extname(file)] ?? "application/octet-stream";
        return [path === "/index.html" ? "/" : path, { contentType, body: readFileSync(join(folder, file)) }];
      }),
    );
  } catch (error) {
    // A build that runs at the same time removes files.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return new Map();
    throw error;
  }
}

/** Default scenario of `serve` and of the library; a path relative to the root of the package. */
export const quickstartScenario = "scenarios/quickstart.arazzo.yaml";
