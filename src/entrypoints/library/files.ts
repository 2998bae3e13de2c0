import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { FileReader } from "../../scenarios/files/load-scenario.ts";
import type { PageFiles } from "../../stub/inspection/page.ts";
import { fixtureRefusal } from "./fixture-roots.ts";

/** Reads scenarios and fixtures from disk; relative names begin from a folder. */
export function filesFrom(folder: string): FileReader {
  return {
    read: (path) => readText(resolve(folder, path)),
    resolve: (from, relative) => resolve(folder, dirname(from), relative),
    refusal: (from, name) =>
      fixtureRefusal(resolve(folder, from), name, { folder: resolve(folder), packageRoot: packagedFile("") }),
  };
}

/** The same from the folder that the process runs in. */
export const diskFiles: FileReader = filesFrom("");

/** Undefined for what is no file or cannot be read. */
function readText(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? readFileSync(path, "utf8") : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

/** The root of the package: the nearest folder above this file that has a package.json, in a checkout and when installed. */
const packageRoot: string = rootAbove(dirname(fileURLToPath(import.meta.url)));

function rootAbove(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : rootAbove(dirname(folder));
}

/** The path of a file of the package, given relative to its root; a folder keeps its trailing separator. */
export function packagedFile(path: string): string {
  return path === "" ? `${packageRoot}${sep}` : join(packageRoot, path);
}

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=UTF-8",
  ".html": "text/html; charset=UTF-8",
  ".js": "text/javascript; charset=UTF-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=UTF-8",
};

/** The inspector as it was built, by the paths under which it is served; none where it was not built. */
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
    // Somebody is building it at this moment.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return new Map();
    throw error;
  }
}

/** What `serve` and the library start from when no scenario is named; a path within the package. */
export const quickstartScenario = "scenarios/quickstart.arazzo.yaml";
