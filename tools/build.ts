// Makes dist/ from src/: declarations beside each other as the sources are, and the JavaScript in few files, with all the
// libraries that it needs, since a process that starts waits for every file that it reads. Fails on any type error.
// Pages and workers get a file of their own, which may need nothing of Node.
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Plugin, rolldown } from "rolldown";
import ts from "typescript";

const root = fileURLToPath(new URL("..", import.meta.url));
const sourceFolder = join(root, "src");
const target = join(root, "dist");

/** What package.json exports or runs. */
const entries = ["index", "testing/vitest", "testing/jest", "testing/node-test", "testing/msw", "cli/main"];

/** JSON is read faster as a text than as a program. */
const jsonAsText: Plugin = {
  name: "json-as-text",
  transform(code, id) {
    if (!id.endsWith(".json")) return undefined;
    return {
      code: `export default JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(code)))});`,
      moduleType: "js",
    };
  },
};

/** To import a module of Node is to read all that it exports, and with `node:http` that loads a whole client that nobody asked for. */
const builtinsAsNeeded: Plugin = {
  name: "builtins-as-needed",
  // What rolldown adds itself comes before everything else.
  resolveId: (id, importer) => (id.startsWith("node:") && !importer?.startsWith("\0") ? `\0${id}` : undefined),
  load(id) {
    if (!id.startsWith("\0node:")) return undefined;
    return { code: `module.exports = process.getBuiltinModule(${JSON.stringify(id.slice(1))});`, moduleType: "js" };
  },
};

const packageJson = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
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
await bundleForNode();
chmodSync(join(target, "cli/main.js"), 0o755);
await bundleForPages("library/in-page.ts", "bundle/in-page.js");

/**
 * What is imported, and the command line. All of it finds the files of the package from `dist/bundle`, two folders below its
 * root, as it does from the folders of `src`; `cli/main.js` reads none.
 */
async function bundleForNode(): Promise<void> {
  const bundled = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, join(sourceFolder, `${entry}.ts`)])),
    platform: "node",
    // What the user brings, if at all.
    external: Object.keys(packageJson.peerDependencies).map((name) => new RegExp(`^${name}(?:/|$)`)),
    plugins: [jsonAsText, builtinsAsNeeded],
    onLog: failOnWarning,
  });
  await bundled.write({
    dir: target,
    format: "es",
    entryFileNames: ({ name }) => (name === "cli/main" ? "cli/main.js" : `bundle/${name.split("/").at(-1)}.js`),
    chunkFileNames: "bundle/[name]-[hash].js",
    minify: { compress: false, mangle: false, codegen: true },
  });
}

/** One file with all it needs; a module of Node among that is a mistake. */
async function bundleForPages(from: string, to: string): Promise<void> {
  const bundled = await rolldown({
    input: join(sourceFolder, from),
    platform: "browser",
    plugins: [jsonAsText],
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
