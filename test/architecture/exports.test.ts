import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { own, root, type Source, sourceOf, sources } from "./_sources.ts";

/** What the package exports: users import it. */
const entryPoints = /^(?:index|entrypoints\/(?:library\/in-page|testing\/[a-z-]+))\.ts$/;

test("each exported type name is declared once", () => {
  const places = new Map<string, string[]>();
  for (const source of own)
    for (const { name, isType } of exportsOf(source))
      if (isType) places.set(name, [...(places.get(name) ?? []), source.file]);
  expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
});

test("each export has an importer", () => {
  const imported = new Set([...sources, ...sourcesBeside].flatMap(importedNames));
  const unused = own
    .filter(({ file }) => !entryPoints.test(file) && !imported.has(`${file}:*`))
    .flatMap((source) => exportsOf(source).map(({ name }) => `${source.file}:${name}`))
    .filter((place) => !imported.has(place));
  expect(unused).toEqual([]);
});

/** Tests, tools, benchmarks and generated files, which import from `src`. Their paths begin there too. */
const sourcesBeside: readonly Source[] = ["test", "tools", "bench", "src/foundation/spec/generated"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => posix.join("..", folder, file.replaceAll("\\", "/")))
    .map((file) => sourceOf(file, readFileSync(join(root, "src", file), "utf8"))),
);

interface Export {
  readonly name: string;
  readonly isType: boolean;
}

function exportsOf({ tree }: Source): readonly Export[] {
  return tree.statements.flatMap((statement): readonly Export[] => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    if (!isExported) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => ({ name: name.getText(tree), isType: false }));
    const isType =
      ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) || ts.isClassDeclaration(statement);
    if (isType || ts.isFunctionDeclaration(statement))
      return statement.name === undefined ? [] : [{ name: statement.name.text, isType }];
    return [];
  });
}

/** The names that a file imports, each after its file; `*` for a whole file. */
function importedNames({ file, tree }: Source): readonly string[] {
  const found: string[] = [];
  const add = (target: ts.Expression | ts.TypeNode | undefined, names: readonly string[]): void => {
    const literal = target !== undefined && ts.isLiteralTypeNode(target) ? target.literal : target;
    if (literal === undefined || !ts.isStringLiteral(literal) || !literal.text.startsWith(".")) return;
    const path = posix.normalize(posix.join("src", posix.dirname(file), literal.text)).replace(/^src\//, "");
    for (const name of names) found.push(`${path}:${name}`);
  };
  const walk = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const bindings = node.importClause?.namedBindings;
      add(node.moduleSpecifier, bindings !== undefined && ts.isNamedImports(bindings) ? namesIn(bindings) : ["*"]);
    } else if (ts.isExportDeclaration(node)) {
      const clause = node.exportClause;
      add(node.moduleSpecifier, clause !== undefined && ts.isNamedExports(clause) ? namesIn(clause) : ["*"]);
    } else if (ts.isImportTypeNode(node)) add(node.argument, ["*"]);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], ["*"]);
    ts.forEachChild(node, walk);
  };
  walk(tree);
  return found;
}

function namesIn({ elements }: ts.NamedImports | ts.NamedExports): readonly string[] {
  return elements.map(({ name, propertyName }) => (propertyName ?? name).text);
}
