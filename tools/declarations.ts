import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import ts from "typescript";

const root = fileURLToPath(new URL("..", import.meta.url));
const sourceFolder = join(root, "src");

/** The sources of the package as a program that emits declarations. The inspector is a page; Vite builds it. */
export function packageProgram(more: ts.CompilerOptions = {}): ts.Program {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const files = readdirSync(sourceFolder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith("stub/inspector"))
    .map((file) => join(sourceFolder, file));
  return ts.createProgram(files, {
    ...options,
    noEmit: false,
    emitDeclarationOnly: true,
    allowImportingTsExtensions: false,
    rootDir: root,
    outDir: root,
    ...more,
  });
}

/**
 * Writes the declarations to a folder, at the paths that their sources have in src/: those that package.json exports, and all
 * that they import.
 */
export function writeDeclarations(program: ts.Program, folder: string): void {
  const texts = new Map<string, string>();
  program.emit(undefined, (fileName, text) => {
    if (!fileName.startsWith(sourceFolder) || !fileName.endsWith(".d.ts")) return;
    texts.set(relative(sourceFolder, fileName), text.replaceAll(/(["'])(\.[^"']+)\.ts\1/g, "$1$2.js$1"));
  });
  const reached = new Set(exportedDeclarations());
  // A set iterates over what is added on the way, too.
  for (const name of reached) {
    const text = texts.get(name);
    if (text === undefined) throw new Error(`there is no declaration ${name}`);
    for (const [, path = ""] of text.matchAll(/["'](\.[^"']+)\.js["']/g))
      reached.add(join(dirname(name), `${path}.d.ts`));
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/**
 * Writes what `writeDeclarations` wrote to another folder in few files: one for each export of package.json, with the types that
 * it reaches, and one for those that several share.
 */
export async function bundleDeclarations(from: string, to: string): Promise<void> {
  const bundle = await rollup({
    input: Object.fromEntries(exportedDeclarations().map((name) => [name.replace(/\.d\.ts$/, ""), join(from, name)])),
    plugins: [dts()],
    external: (id) => !id.startsWith(".") && !isAbsolute(id),
    // Types that the index does not export are beside it, as before.
    onwarn: () => undefined,
  });
  await bundle.write({ dir: to, entryFileNames: "[name].d.ts", chunkFileNames: "types/[name].ts" });
}

/** What package.json exports, from the folder of the declarations. */
function exportedDeclarations(): readonly string[] {
  const text = readFileSync(join(root, "package.json"), "utf8");
  return [...text.matchAll(/"types": "\.\/dist\/([^"]+)"/g)].map(([, name = ""]) => name);
}
