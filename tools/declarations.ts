import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
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

/** Writes the declarations to a folder, at the paths that their sources have in src/. */
export function writeDeclarations(program: ts.Program, folder: string): void {
  program.emit(undefined, (fileName, text) => {
    if (!fileName.startsWith(sourceFolder) || !fileName.endsWith(".d.ts")) return;
    const file = join(folder, fileName.slice(sourceFolder.length));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text.replaceAll(/(from "\.[^"]+)\.ts"/g, '$1.js"'));
  });
}
