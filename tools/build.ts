// Compiles src/ into dist/: JavaScript, declarations and the JSON they read; tests are left out. Fails on any type error.
// Then bundles the form for pages and workers, which may need nothing of Node.
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import ts from "typescript";

const root = fileURLToPath(new URL("..", import.meta.url));
const sourceFolder = join(root, "src");
const target = join(root, "dist");

const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
const files = readdirSync(sourceFolder, { recursive: true, encoding: "utf8" })
  // The inspector is a page; Vite builds it.
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith("inspector"))
  .map((file) => join(sourceFolder, file));
const program = ts.createProgram(files, {
  ...options,
  noEmit: false,
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
chmodSync(join(target, "cli/main.js"), 0o755);
await bundle("library/in-page.js", "bundle/in-page.js");

/** One file with all it needs; a module of Node among that is a mistake. */
async function bundle(from: string, to: string): Promise<void> {
  const bundled = await rolldown({
    input: join(target, from),
    platform: "browser",
    onLog(level, log) {
      if (level === "warn") throw new Error(log.message);
    },
  });
  const { output } = await bundled.write({ file: join(target, to), format: "es", minify: true });
  const foreign = output.flatMap((part) => (part.type === "chunk" ? part.imports : []));
  if (foreign.length > 0) throw new Error(`the bundle imports ${foreign.join(", ")}`);
}

/** What stands under src/ goes to the same place under dist/. What src/ reads beside it is packed as it is. */
function write(fileName: string, text: string): void {
  if (!fileName.startsWith(`${target}/src/`)) return;
  const file = join(target, fileName.slice(`${target}/src`.length));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, fileName.endsWith(".d.ts") ? text.replaceAll(/(from "\.[^"]+)\.ts"/g, '$1.js"') : text);
}
