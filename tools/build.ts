// Makes dist/ from src/: declarations beside each other as the sources are, and the JavaScript in few files, with all the
// libraries that it needs, since a process that starts waits for every file that it reads. Fails on any type error.
// Pages and workers get a file of their own, which may need nothing of Node.
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type InputOptions, rolldown } from "rolldown";
import ts from "typescript";
import { reachedFrom } from "./_reached-from.ts";
import { heavyLibraries, inAscii, jsonAsText, loadedWhenNeeded, notedLibraries } from "./bundle-plugins.ts";
import { licencesOf } from "./licences.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const sourceFolder = join(root, "src");
const target = join(root, "dist");

const packageJson = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** What package.json exports. */
const exported = ["index", "testing/vitest", "testing/jest", "testing/node-test", "testing/msw"];

/** The oldest Node that the package is for: what it does not know yet, such as `using`, is written in its words. */
const transform = { target: `node${packageJson.engines.node.replace(">=", "")}` };

/** Names stay, for whoever reads a stack. */
const withoutSpace = { compress: false, mangle: false, codegen: true } as const;

const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
const files = readdirSync(sourceFolder, { recursive: true, encoding: "utf8" })
  // The inspector is a page; Vite builds it.
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith("inspector"))
  .map((file) => join(sourceFolder, file));
const program = ts.createProgram(files, {
  ...options,
  noEmit: false,
  emitDeclarationOnly: true,
  noEmitOnError: true,
  allowImportingTsExtensions: false,
  rootDir: root,
  outDir: target,
});

rmSync(target, { recursive: true, force: true });
const problems = ts.getPreEmitDiagnostics(program);
if (problems.length > 0) {
  console.error(
    ts.formatDiagnostics(problems, {
      ...ts.sys,
      getCanonicalFileName: (name) => name,
      getNewLine: () => "\n",
      getCurrentDirectory: () => root,
    }),
  );
  process.exit(1);
}
program.emit(undefined, write);
const libraryFiles = new Set<string>();
await bundleLibrary();
await bundleCommandLine();
await bundleForPages("library/in-page.ts", "bundle/in-page.js");
writeFileSync(join(target, "licenses.txt"), licencesOf(libraryFiles));

/** What both find of the package's files they find from two folders below its root, as the sources do. */
function forNode(entries: readonly string[], fileOf: (library: string) => string | undefined): InputOptions {
  return {
    input: Object.fromEntries(entries.map((entry) => [basename(entry), join(sourceFolder, `${entry}.ts`)])),
    platform: "node",
    transform,
    // What the user brings, if at all.
    external: Object.keys(packageJson.peerDependencies).map((name) => new RegExp(`^${name.split("/")[0]}(?:/|$)`)),
    plugins: [jsonAsText, loadedWhenNeeded(fileOf), inAscii, notedLibraries(libraryFiles)],
    onLog: failOnWarning,
  };
}

async function bundleLibrary(): Promise<void> {
  const bundled = await rolldown(forNode(exported, () => undefined));
  await bundled.write({
    dir: join(target, "bundle"),
    format: "es",
    chunkFileNames: "[name]-[hash].js",
    minify: withoutSpace,
  });
}

/** As CommonJS, since Node is ready for that sooner; most of what any command needs is what `serve` needs, in one file. */
async function bundleCommandLine(): Promise<void> {
  const bundled = await rolldown(
    forNode(["cli/main", "cli/examining-thread"], (library) => `./${apartName(library)}.cjs`),
  );
  const isAlwaysNeeded = reachedFrom(join(sourceFolder, "cli/command-line.ts"));
  const isServed = reachedFrom(join(sourceFolder, "cli/serve.ts"));
  await bundled.write({
    dir: join(target, "cli"),
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
    minify: withoutSpace,
    codeSplitting: {
      groups: [
        {
          debugName: "command-line",
          name: (id, graph) => (isAlwaysNeeded(id, graph) ? "command-line" : isServed(id, graph) ? "serve" : null),
        },
      ],
    },
  });
  chmodSync(join(target, "cli/main.cjs"), 0o755);
  await bundleHeavyLibraries();
}

async function bundleHeavyLibraries(): Promise<void> {
  const bundled = await rolldown({
    input: Object.fromEntries(heavyLibraries.map((library) => [apartName(library), library])),
    cwd: root,
    platform: "node",
    transform,
    plugins: [inAscii, notedLibraries(libraryFiles)],
    onLog: failOnWarning,
  });
  await bundled.write({
    dir: join(target, "cli"),
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
    minify: withoutSpace,
  });
}

function apartName(library: string): string {
  return `library-${library.replace(/\.js$/, "").replaceAll(/[^a-z0-9]+/g, "-")}`;
}

/** One file with all it needs; a module of Node among that is a mistake. */
async function bundleForPages(from: string, to: string): Promise<void> {
  const bundled = await rolldown({
    input: join(sourceFolder, from),
    platform: "browser",
    transform: { target: "es2022" },
    plugins: [jsonAsText, inAscii, notedLibraries(libraryFiles)],
    onLog: failOnWarning,
  });
  const { output } = await bundled.write({ file: join(target, to), format: "es", minify: true });
  const foreign = output.flatMap((part) => (part.type === "chunk" ? part.imports : []));
  if (foreign.length > 0) throw new Error(`the bundle imports ${foreign.join(", ")}`);
}

function failOnWarning(level: string, log: { readonly message: string }): void {
  if (level === "warn") throw new Error(log.message);
}

/** Declarations stand under dist/ where their sources stand under src/. */
function write(fileName: string, text: string): void {
  if (!fileName.startsWith(`${target}/src/`) || !fileName.endsWith(".d.ts")) return;
  const file = join(target, fileName.slice(`${target}/src`.length));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text.replaceAll(/(from "\.[^"]+)\.ts"/g, '$1.js"'));
}
