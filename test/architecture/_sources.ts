import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export const root: string = fileURLToPath(new URL("../..", import.meta.url));

/** A TypeScript file of `src`. */
export interface Source {
  /** The path from `src`, with forward slashes. */
  readonly file: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

/** Parses a source. Tests pass texts that are in no file. */
export function sourceOf(file: string, text: string): Source {
  const kind = file.endsWith(".tsx") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return { file, text, tree: ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true, kind) };
}

/** All sources with their tests, without generated files. Each is parsed once. */
export const sources: readonly Source[] = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => /\.tsx?$/.test(file) && !file.includes("generated/"))
  .sort()
  .map((file) => sourceOf(file, readFileSync(join(root, "src", file), "utf8")));

/** The sources without their tests. */
export const own: readonly Source[] = sources.filter(({ file }) => !file.endsWith(".test.ts"));

/** Calls `look` with each node of the sources. Returns what it finds, each with its place. */
export function visit(
  given: readonly Source[],
  look: (node: ts.Node, tree: ts.SourceFile) => readonly string[],
): readonly string[] {
  const found: string[] = [];
  for (const { file, tree } of given) {
    const walk = (node: ts.Node): void => {
      for (const what of look(node, tree)) found.push(`${file}:${lineOf(node, tree) + 1}: ${what}`);
      ts.forEachChild(node, walk);
    };
    walk(tree);
  }
  return found;
}

/** The line of a node, from 0. */
export function lineOf(node: ts.Node, tree: ts.SourceFile): number {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line;
}
