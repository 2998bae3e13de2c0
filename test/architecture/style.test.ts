import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { contracts } from "../../src/foundation/spec/contracts.ts";
import { lineOf, own, root, sourceOf, sources, visit } from "./_sources.ts";
import { stateIn } from "./_state.ts";

test("no source is longer than 400 lines", () => {
  expect(sources.filter(({ text }) => text.split("\n").length > 400).map(({ file }) => file)).toEqual([]);
});

test("only the command line prints or exits", () => {
  expect(
    sources
      .filter(
        ({ file, text }) => !file.startsWith("entrypoints/cli/") && /\bconsole\.|\bprocess\.(?:exit|std)/.test(text),
      )
      .map(({ file }) => file),
  ).toEqual([]);
});

test("no flag of V8 is set in a running process: Node warns of crashes and loss of data", () => {
  expect(own.filter(({ text }) => /\bsetFlagsFromString\b/.test(text)).map(({ file }) => file)).toEqual([]);
});

test("files are named in kebab-case", () => {
  const names = sources.map(({ file }) => file);
  expect(names.filter((file) => !/^(?:[a-z-]+\/)*_?[a-z0-9-]+(?:\.deep)?(?:\.test)?\.tsx?$/.test(file))).toEqual([]);
});

test("no function is longer than 70 lines", () => {
  const lengthOf = (node: ts.Node, source: ts.SourceFile) =>
    source.getLineAndCharacterOfPosition(node.end).line - lineOf(node, source) + 1;
  const long = visit(own, (node, source) =>
    ts.isFunctionLike(node) && lengthOf(node, source) > 70 ? [`${lengthOf(node, source)} lines`] : [],
  );
  expect(long).toEqual([]);
});

test("nothing is cast but `as const`, asserted to be there, or any; a cast that has to be carries its proof", () => {
  const casts = visit(own, (node, source) => {
    if (ts.isNonNullExpression(node)) return ["non-null assertion"];
    if (node.kind === ts.SyntaxKind.AnyKeyword) return ["any"];
    if (!ts.isAsExpression(node) || ts.isConstTypeReference(node.type)) return [];
    return /\/\/ .*cast/.test(source.text.split("\n")[lineOf(node, source) - 1] ?? "") ? [] : ["as"];
  });
  expect(casts).toEqual([]);
});

test("modules export by name, and catch nothing in silence", () => {
  const broken = visit(own, (node) => {
    if (ts.isExportAssignment(node)) return ["default export"];
    return ts.isCatchClause(node) && node.block.statements.length === 0 ? ["an empty catch"] : [];
  });
  expect(broken).toEqual([]);
});

test("modules hold no state; state that has to be carries its reason", () => {
  expect(stateIn(own)).toEqual([]);
});

test.each([
  "let count = 0;",
  "const cache = new Map<string, number>();",
  "export const cache: Map<string, number> = new Map();",
  "const cache = new WeakMap<object, number>();",
  "const seen: ReadonlySet<string> = new WeakSet();",
  "const cache = memoize(make);",
  "const list: string[] = [];",
  "const known = {};",
  "const known: Record<string, number> = {};",
  "const known = { a: 1 };\nfunction f() { known.a = 2; }",
  "const known = { a: { b: [0] } };\nfunction f() { known.a.b[0] += 2; }",
  "const known = [1];\nfunction f() { known.push(2); }",
  "const known: ReadonlyMap<string, string[]> = new Map();\nfunction f() { delete known.x; }",
  "class Cache { static #made = new Map<string, number>(); }",
])("%s is state at module level", (text) => {
  expect(stateIn([sourceOf("x.ts", text)])).toHaveLength(1);
});

test.each([
  "const cache: ReadonlyMap<string, number> = new Map([]);",
  "const none: readonly string[] = [];",
  "const none: Readonly<Record<string, number>> = {};",
  "const pattern = /a/y;\nfunction f(at: number) { pattern.lastIndex = at; }",
  "const list = [1];\nfunction f(list: number[]) { list.push(2); }",
  "function f() { const made = new Map<string, number>(); made.set('a', 1); }",
  "// State of the module: why.\nconst cache = new Map<string, number>();\nfunction f() { cache.set('a', 1); }",
])("%s is no state at module level", (text) => {
  expect(stateIn([sourceOf("x.ts", text)])).toEqual([]);
});

test("no pattern repeats four times or more without a maximum: a run of megabytes would overflow the stack", () => {
  // V8 repeats `X{3,}` and `X*` in place, and puts each repetition of `X{4,}` on a stack. Write `X{4}X*`.
  const open = /[\]\w)]\{(?:[4-9]|\d\d+),\}/;
  const isPattern = (node: ts.Node) => ts.isRegularExpressionLiteral(node) || ts.isStringLiteralLike(node);
  expect(visit(own, (node) => (isPattern(node) && open.test(node.getText()) ? [node.getText()] : []))).toEqual([]);
});

/** The statements of a file that declare this name. */
function declarationsOf(file: string, name: string): readonly ts.Statement[] {
  const tree = own.find((source) => source.file === file)?.tree;
  return (tree?.statements ?? []).filter((statement) =>
    ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.some((declared) => declared.name.getText() === name)
      : (ts.isClassDeclaration(statement) ||
          ts.isFunctionDeclaration(statement) ||
          ts.isInterfaceDeclaration(statement) ||
          ts.isTypeAliasDeclaration(statement)) &&
        statement.name?.text === name,
  );
}

/** The names that a statement exports of another file; undefined where it is anything else. */
function exportedBy(statement: ts.Statement): readonly (readonly [file: string, name: string])[] | undefined {
  if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier === undefined) return undefined;
  if (statement.exportClause === undefined || !ts.isNamedExports(statement.exportClause)) return undefined;
  const file = statement.moduleSpecifier.getText().replaceAll(/^"\.\/|"$/g, "");
  return statement.exportClause.elements.map(({ name, propertyName = name }) => [file, propertyName.text] as const);
}

test("everything exported from src/index.ts has a doc comment", () => {
  const statements = own.find(({ file }) => file === "index.ts")?.tree.statements ?? [];
  const others = statements.filter((statement) => exportedBy(statement) === undefined);
  expect(others.map((statement) => statement.getText())).toEqual([]);
  const named = statements.flatMap((statement) => exportedBy(statement) ?? []);
  const isDocumented = (declared: ts.Statement) =>
    ts.getJSDocCommentsAndTags(declared).some((doc) => ts.isJSDoc(doc) && doc.comment !== undefined);
  const bare = named.filter(
    ([file, name]) => !file.includes("/generated/") && !declarationsOf(file, name).some(isDocumented),
  );
  expect(bare).toEqual([]);
  expect(named.length).toBeGreaterThan(8);
});

test("every ledger error that the code raises is in the catalogue, and every code is documented", () => {
  const codes = new Set(contracts.errorCodes.codes.map(({ code }) => code));
  const raised = own.flatMap(({ text }) =>
    [...text.matchAll(/(?:nodeError|jsonLayerError|refused)\(\s*"([A-Z][A-Z_]+)"/g)].map(([, code = ""]) => code),
  );
  expect(raised.filter((code) => !codes.has(code))).toEqual([]);
  expect(raised.length).toBeGreaterThan(5);
  const page = readFileSync(join(root, "docs/reference/error-codes.md"), "utf8");
  expect([...codes].filter((code) => !page.includes(`| \`${code}\` |`))).toEqual([]);
});

test("no test sleeps, is skipped or names a port", () => {
  const tests = ["src", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts") && !file.endsWith("architecture/style.test.ts"))
      .map((file) => join(root, folder, file)),
  );
  // In quotes it is the name of a clock that the test moves by itself.
  const bad = tests.filter((file) =>
    /(?<!")setTimeout|\.(?:skip|only|todo)\b|port: [1-9]/.test(readFileSync(file, "utf8")),
  );
  expect(bad).toEqual([]);
  expect(tests.length).toBeGreaterThan(5);
});

test("no comment leaves work behind without an issue", () => {
  expect(sources.filter(({ text }) => /\b(?:TODO|FIXME|XXX)\b(?! #\d)/.test(text)).map(({ file }) => file)).toEqual([]);
});
