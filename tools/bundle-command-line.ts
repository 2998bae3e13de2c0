import { chmodSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type InputOptions, type OutputOptions, rolldown } from "rolldown";
import { reachedFrom } from "./_reached-from.ts";
import {
  apartName,
  heavyGenerated,
  heavyLibraries,
  inAscii,
  jsonAsText,
  loadedWhenNeeded,
  notedLibraries,
} from "./bundle-plugins.ts";
import { rulesWithoutExamples } from "./without-examples.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const sourceFolder = join(root, "src");
const packageJson = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** The oldest Node that the package is for: what it does not know yet, such as `using`, is written in its words. */
const transform = { target: `node${packageJson.engines.node.replace(">=", "")}` };

/** Names stay, so that stack traces are readable. */
export const withoutSpace = { compress: false, mangle: false, codegen: true } as const;

/** What a bundle for Node is made of. */
export interface NodeBundle {
  /** Sources, from src and without their ending. */
  readonly entries: readonly string[];
  /** The folder of heavy libraries, as it is found from the bundle. */
  readonly libraryFolder: string;
  /** Gets the files of libraries whose code came into it. */
  readonly libraryFiles: Set<string>;
}

/** What both find of the package's files they find from two folders below its root, as the sources do. */
export function forNode({ entries, libraryFolder, libraryFiles }: NodeBundle): InputOptions {
  return {
    input: Object.fromEntries(entries.map((entry) => [basename(entry), join(sourceFolder, `${entry}.ts`)])),
    platform: "node",
    transform,
    // What the user brings, if at all.
    external: Object.keys(packageJson.peerDependencies).map((name) => new RegExp(`^${name.split("/")[0]}(?:/|$)`)),
    plugins: [jsonAsText, rulesWithoutExamples, loadedWhenNeeded(libraryFolder), inAscii, notedLibraries(libraryFiles)],
    onLog: failOnWarning,
  };
}

/** Modules of the programs that several entries share, and what they need, are one chunk in place of many small ones. */
export const sharedPrograms: { debugName: string; name: string; test: RegExp; minShareCount: number } = {
  debugName: "programs",
  name: "programs",
  test: /src[\\/]entrypoints[\\/]programs[\\/]/,
  minShareCount: 2,
};

/**
 * Writes the command line to a folder: as CommonJS, since Node is ready for that sooner; most of what any command needs is what
 * `serve` needs, in one file. The folder has to stand two levels below the root, where the package's files are looked for.
 */
export async function bundleCommandLine(folder: string, libraryFiles: Set<string>): Promise<void> {
  const bundled = await rolldown(
    forNode({
      entries: ["entrypoints/cli/main"],
      libraryFolder: "./",
      libraryFiles,
    }),
  );
  const isAlwaysNeeded = reachedFrom(join(sourceFolder, "entrypoints/cli/run-command-line.ts"));
  const isServed = reachedFrom(join(sourceFolder, "entrypoints/cli/serve/serve.ts"));
  await bundled.write({
    ...commonJsIn(folder),
    codeSplitting: {
      groups: [
        {
          debugName: "command-line",
          name: (id, graph) => (isAlwaysNeeded(id, graph) ? "command-line" : isServed(id, graph) ? "serve" : null),
        },
        sharedPrograms,
      ],
    },
  });
  chmodSync(join(folder, "main.cjs"), 0o755);
  await bundleHeavyLibraries(folder, libraryFiles);
}

async function bundleHeavyLibraries(folder: string, libraryFiles: Set<string>): Promise<void> {
  const bundled = await rolldown({
    input: Object.fromEntries([...heavyLibraries, ...heavyGenerated].map((library) => [apartName(library), library])),
    cwd: root,
    platform: "node",
    transform,
    plugins: [inAscii, notedLibraries(libraryFiles)],
    onLog: failOnWarning,
  });
  // A default export beside named ones, as that of ws, is then one of them.
  await bundled.write({ ...commonJsIn(folder), exports: "named" });
}

function commonJsIn(folder: string): OutputOptions {
  return {
    dir: folder,
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
    minify: withoutSpace,
  };
}

export function failOnWarning(level: string, log: { readonly message: string }): void {
  if (level === "warn") throw new Error(log.message);
}
