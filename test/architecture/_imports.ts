import { posix } from "node:path";
import ts from "typescript";
import type { Source } from "./_sources.ts";

/** An import of another file, in whichever form it is written. */
export interface Import {
  /** A file as a path from `src`; a package by its name. */
  readonly target: string;
  /** Whether types alone are imported, so that nothing is loaded. */
  readonly isType: boolean;
  /** Whether the file is loaded when the statement runs, and not before. */
  readonly isDynamic: boolean;
}

/** Every import of a source: statements, exports from another file, `import()` of values and of types. */
export function importsOf({ file, tree }: Source): readonly Import[] {
  const found: Import[] = [];
  const add = (name: ts.Node | undefined, isType: boolean, isDynamic: boolean): void => {
    if (name === undefined || !ts.isStringLiteral(name)) return;
    const target = name.text.startsWith(".") ? posix.join(posix.dirname(file), name.text) : name.text;
    found.push({ target, isType, isDynamic });
  };
  const walk = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, node.importClause?.isTypeOnly === true, false);
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly, false);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true, false);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false, true);
    ts.forEachChild(node, walk);
  };
  walk(tree);
  return found;
}

/** What each module, or each folder of a module, may import. */
export type ImportTable = ReadonlyMap<string, readonly string[]>;

/** The tables of ARCHITECTURE.md whose rows begin with the name of a module, or of a folder inside one. */
export function importTables(page: string): { readonly modules: ImportTable; readonly folders: ImportTable } {
  const rows = [...page.matchAll(/^\| `([\w-]+(?:\/[\w-]+)?)` \| .* \| (.*) \|$/gm)].map(
    ([, name = "", allowed = ""]) => [name, allowed.split(/[,\s]+/).filter((word) => word !== "–")] as const,
  );
  return {
    modules: new Map(rows.filter(([name]) => !name.includes("/"))),
    folders: new Map(rows.filter(([name]) => name.includes("/"))),
  };
}

export const moduleOf = (file: string): string => file.split("/")[0] ?? "";
/** The folder inside the module: its first level alone. */
export const folderOf = (file: string): string => file.split("/").slice(0, 2).join("/");

/** The imports that neither table allows. `src/index.ts` may import everything, a test every folder of its module. */
export function forbiddenImports(
  sources: readonly Source[],
  { modules, folders }: ReturnType<typeof importTables>,
): readonly string[] {
  const isAllowed = (from: string, to: string): boolean => {
    if (moduleOf(from) !== moduleOf(to)) return modules.get(moduleOf(from))?.includes(moduleOf(to)) === true;
    const [own, other] = [folderOf(from), folderOf(to)];
    return own === other || from.endsWith(".test.ts") || folders.get(own)?.includes(other.split("/")[1] ?? "") === true;
  };
  return sources
    .filter(({ file }) => file.includes("/"))
    .flatMap((source) =>
      importsOf(source)
        .filter(({ target }) => isSource(target) && !isAllowed(source.file, target))
        .map(({ target }) => `${source.file} imports ${target}`),
    );
}

/** The circles of files that import each other, those of types and of dynamic imports included. */
export function circlesIn(sources: readonly Source[]): readonly (readonly string[])[] {
  const graph = new Map(sources.map((source) => [source.file, importsOf(source).map(({ target }) => target)]));
  const [order, low, open] = [new Map<string, number>(), new Map<string, number>(), [] as string[]];
  const circles: string[][] = [];
  // Tarjan's algorithm: files that reach each other form a strongly connected component.
  const visit = (file: string): void => {
    order.set(file, order.size);
    low.set(file, order.size - 1);
    open.push(file);
    for (const target of graph.get(file) ?? []) {
      if (!graph.has(target)) continue;
      if (!order.has(target)) visit(target);
      if (open.includes(target)) low.set(file, Math.min(low.get(file) ?? 0, low.get(target) ?? 0));
    }
    if (low.get(file) !== order.get(file)) return;
    const circle = open.splice(open.indexOf(file));
    if (circle.length > 1 || graph.get(file)?.includes(file) === true) circles.push(circle.sort());
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
}

/** A file of `src`, and neither a package nor a file beside `src`. */
function isSource(target: string): boolean {
  return /\.tsx?$/.test(target) && !target.startsWith("..");
}
