// Makes dist/ from src/: declarations and JavaScript in few files, with all the
// libraries that it needs, since a process that starts waits for every file that it reads. Fails on any type error.
// Pages and workers get a file of their own, which may need nothing of Node.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import ts from "typescript";
import { bundleCommandLine, failOnWarning, forNode, sharedPrograms, withoutSpace } from "./bundle-command-line.ts";
import { inAscii, jsonAsText, notedLibraries } from "./bundle-plugins.ts";
import { bundleDeclarations, packageProgram, writeDeclarations } from "./declarations.ts";
import { licencesOf } from "./licences.ts";
import { rulesWithoutExamples } from "./without-examples.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const sourceFolder = join(root, "src");
const target = join(root, "dist");

/** What package.json exports. */
const exported = [
  "index",
  "entrypoints/testing/vitest",
  "entrypoints/testing/jest",
  "entrypoints/testing/node-test",
  "entrypoints/testing/msw",
];

const program = packageProgram({ noEmitOnError: true });

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
const declarations = mkdtempSync(join(tmpdir(), "declarations-"));
writeDeclarations(program, declarations);
await bundleDeclarations(declarations, target);
rmSync(declarations, { recursive: true });
const libraryFiles = new Set<string>();
await bundleLibrary();
await bundleCommandLine(join(target, "cli"), libraryFiles);
await bundleForPages("entrypoints/library/in-page.ts", "bundle/in-page.js");
writeFileSync(join(target, "licenses.txt"), licencesOf(libraryFiles));

async function bundleLibrary(): Promise<void> {
  const bundled = await rolldown(forNode({ entries: exported, libraryFolder: "../cli/", libraryFiles }));
  await bundled.write({
    dir: join(target, "bundle"),
    format: "es",
    chunkFileNames: "[name]-[hash].js",
    minify: withoutSpace,
    codeSplitting: { groups: [sharedPrograms] },
  });
}

/** One file with all it needs; a module of Node among that is a problem. */
async function bundleForPages(from: string, to: string): Promise<void> {
  const bundled = await rolldown({
    input: join(sourceFolder, from),
    platform: "browser",
    transform: { target: "es2022" },
    plugins: [jsonAsText, rulesWithoutExamples, inAscii, notedLibraries(libraryFiles)],
    onLog: failOnWarning,
  });
  const { output } = await bundled.write({ file: join(target, to), format: "es", minify: true });
  const foreign = output.flatMap((part) => (part.type === "chunk" ? part.imports : []));
  if (foreign.length > 0) throw new Error(`the bundle imports ${foreign.join(", ")}`);
}
