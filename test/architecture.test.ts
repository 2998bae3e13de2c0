import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { rules } from "../src/checker/rules/index.ts";
import { contracts } from "../src/foundation/spec/contracts.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.includes("generated"))
  .map((file) => file.replaceAll("\\", "/"));
const read = new Map(sources.map((file) => [file, readFileSync(join(root, "src", file), "utf8")]));
const text = (file: string) => read.get(file) ?? readFileSync(join(root, "src", file), "utf8");

/** The import table of ARCHITECTURE.md: folder → folders that it may import. */
function importTable(): ReadonlyMap<string, readonly string[]> {
  const rows = readFileSync(join(root, "ARCHITECTURE.md"), "utf8").matchAll(/^\| `(\w+)` \| .* \| (.*) \|$/gm);
  return new Map(
    [...rows].map(([, folder = "", allowed = ""]) => [folder, allowed.split(/[,\s]+/).filter((name) => name !== "–")]),
  );
}

test("every folder has a row in the import table and no row is left over", () => {
  const folders = [
    ...new Set(sources.filter((file) => file !== "index.ts").map((file) => file.split("/")[0] ?? "")),
  ].sort();
  expect([...importTable().keys()].sort()).toEqual(folders);
});

test("imports follow the table", () => {
  const table = importTable();
  const broken = sources
    .filter((file) => file !== "index.ts")
    .flatMap((file) => {
      const folder = file.split("/")[0] ?? "";
      const allowed = table.get(folder) ?? [];
      return [...text(file).matchAll(/from "(\.[^"]+)"/g)]
        .map(([, target = ""]) => posix.join(posix.dirname(file), target).split("/")[0] ?? "")
        .filter(
          (target) => target !== folder && target !== ".." && !allowed.includes(target) && !allowed.includes("all"),
        )
        .map((target) => `${file} imports ${target}`);
    });
  expect(broken).toEqual([]);
});

test("what a page loads needs nothing of Node", () => {
  const seen = new Set<string>();
  const follow = (file: string): readonly string[] => {
    if (seen.has(file)) return [];
    seen.add(file);
    return [...text(file).matchAll(/^(?:import|export) (?!type ).*?from "([^"]+)"/gms)].flatMap(([, target = ""]) => {
      if (target.startsWith("node:")) return [`${file} imports ${target}`];
      return target.endsWith(".ts") ? follow(posix.join(posix.dirname(file), target)) : [];
    });
  };
  expect(follow("library/in-page.ts")).toEqual([]);
  expect(seen.size).toBeGreaterThan(100);
});

/** What a source imports at once, and not when it needs it: sources by their path, anything else by its name. */
function importedBy(start: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const follow = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, target = ""] of text(file).matchAll(/^(?:import|export) (?!type )[^;]*?from "([^"]+)"/gm))
      if (!target.startsWith(".")) seen.add(target);
      else if (target.endsWith(".ts")) follow(posix.join(posix.dirname(file), target));
  };
  follow(start);
  return seen;
}

test("the command line knows its commands without loading them, nor any library", () => {
  const imported = importedBy("cli/run-command-line.ts");
  expect(imported).toContain("cli/commands.ts");
  expect([...imported].filter((name) => !/^(?:cli\/|node:)/.test(name)).sort()).toEqual([
    "conformance/reporters/printable.ts",
    "library/files.ts",
    "library/fixture-roots.ts",
    "scenario/suggestion.ts",
  ]);
});

test("serve loads nothing of what only other commands need", () => {
  const others =
    /^(?:explore|export|generation|inference|pact|proxy|recording|replay|redaction|testing)\/|^fast-check|^json-schema-faker|^@stoplight/;
  expect([...importedBy("cli/serve.ts")].filter((name) => others.test(name))).toEqual([]);
});

test("no source is longer than 400 lines", () => {
  expect(sources.filter((file) => text(file).split("\n").length > 400)).toEqual([]);
});

test("only the command line prints or exits", () => {
  expect(
    sources.filter((file) => !file.startsWith("cli/") && /\bconsole\.|\bprocess\.(?:exit|std)/.test(text(file))),
  ).toEqual([]);
});

test("files are named in kebab-case", () => {
  expect(sources.filter((file) => !/^(?:[a-z]+\/)*_?[a-z0-9-]+(?:\.test)?\.ts$/.test(file))).toEqual([]);
});

const own = sources.filter((file) => !file.endsWith(".test.ts"));
const parsed = own.map((file) => [file, ts.createSourceFile(file, text(file), ts.ScriptTarget.ESNext, true)] as const);

/** Calls `look` with each node of all sources. Returns what it finds, with the place. */
function visit(look: (node: ts.Node, source: ts.SourceFile) => readonly string[]): readonly string[] {
  const found: string[] = [];
  for (const [file, source] of parsed) {
    const walk = (node: ts.Node): void => {
      for (const what of look(node, source)) found.push(`${file}:${lineOf(node, source) + 1}: ${what}`);
      ts.forEachChild(node, walk);
    };
    walk(source);
  }
  return found;
}

const lineOf = (node: ts.Node, source: ts.SourceFile): number =>
  source.getLineAndCharacterOfPosition(node.getStart()).line;

test("no function is longer than 70 lines", () => {
  const lengthOf = (node: ts.Node, source: ts.SourceFile) =>
    source.getLineAndCharacterOfPosition(node.end).line - lineOf(node, source) + 1;
  const long = visit((node, source) =>
    ts.isFunctionLike(node) && lengthOf(node, source) > 70 ? [`${lengthOf(node, source)} lines`] : [],
  );
  expect(long).toEqual([]);
});

test("nothing is cast but `as const`, asserted to be there, or any; a cast that has to be carries its proof", () => {
  const casts = visit((node, source) => {
    if (ts.isNonNullExpression(node)) return ["non-null assertion"];
    if (node.kind === ts.SyntaxKind.AnyKeyword) return ["any"];
    if (!ts.isAsExpression(node) || ts.isConstTypeReference(node.type)) return [];
    return /\/\/ .*cast/.test(source.text.split("\n")[lineOf(node, source) - 1] ?? "") ? [] : ["as"];
  });
  expect(casts).toEqual([]);
});

test("modules hold no state, export by name, and catch nothing in silence", () => {
  const broken = visit((node) => {
    if (ts.isExportAssignment(node)) return ["default export"];
    if (
      ts.isVariableStatement(node) &&
      ts.isSourceFile(node.parent) &&
      !(node.declarationList.flags & ts.NodeFlags.Const)
    )
      return ["state at module level"];
    return ts.isCatchClause(node) && node.block.statements.length === 0 ? ["an empty catch"] : [];
  });
  expect(broken).toEqual([]);
});

/** The statements of a file that declare this name. */
function declarationsOf(file: string, name: string): readonly ts.Statement[] {
  const source = parsed.find(([known]) => known === file)?.[1];
  return (source?.statements ?? []).filter((statement) =>
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
  const statements = parsed.find(([file]) => file === "index.ts")?.[1].statements ?? [];
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
  const raised = own.flatMap((file) =>
    [...text(file).matchAll(/(?:nodeError|jsonLayerError|refused)\(\s*"([A-Z][A-Z_]+)"/g)].map(([, code = ""]) => code),
  );
  expect(raised.filter((code) => !codes.has(code))).toEqual([]);
  expect(raised.length).toBeGreaterThan(5);
  const page = readFileSync(join(root, "docs/error-codes.md"), "utf8");
  expect([...codes].filter((code) => !page.includes(`| \`${code}\` |`))).toEqual([]);
});

test("no test sleeps, is skipped or names a port", () => {
  const tests = ["src", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts") && !file.endsWith("architecture.test.ts"))
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
  expect(sources.filter((file) => /\b(?:TODO|FIXME|XXX)\b(?! #\d)/.test(text(file)))).toEqual([]);
});

test("every test that docs/spec-coverage.md names exists", () => {
  const rows = [
    ...readFileSync(join(root, "docs/spec-coverage.md"), "utf8").matchAll(/^\| [\d., ]+ \| .+ \| (.+) \| `(.+)` \|$/gm),
  ];
  const missing = rows.filter(([, name = "", file = ""]) => !readFileSync(join(root, file), "utf8").includes(name));
  expect(missing.map(([row]) => row)).toEqual([]);
  expect(rows.length).toBeGreaterThan(40);
});

test("docs/coverage.md names every rule, and no other", () => {
  const page = readFileSync(join(root, "docs/coverage.md"), "utf8");
  const rows = [...page.matchAll(/^\| .+ \| (.+) \|$/gm)].map(([, cell = ""]) => cell);
  const named = rows.flatMap((cell) => [...cell.matchAll(/`([a-z0-9]+(?:-[a-z0-9]+)+)`/g)].map(([, id = ""]) => id));
  expect([...new Set(named)].sort()).toEqual(rules.map(({ id }) => id).sort());
  const traces = new Set(rules.filter(({ type }) => type === "trace").map(({ id }) => id));
  const marked = rows.flatMap((cell) => [...cell.matchAll(/`([a-z0-9-]+)` \(traces/g)].map(([, id = ""]) => id));
  expect(new Set(marked)).toEqual(traces);
});

test("every file that the README and the pages of docs name exists", () => {
  const pages = [
    "README.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md"))
      .map((file) => `docs/${file}`),
  ];
  const missing = pages.flatMap((page) =>
    [
      ...readFileSync(join(root, page), "utf8").matchAll(
        /(?:`|\]\()((?:contracts|docs|schemas|scenarios|fixtures|tools|test|src|\.ci)\/[\w./-]+)(?:`|\))/g,
      ),
    ]
      .map(([, path = ""]) => path)
      .filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, dirname(page), path)))
      .map((path) => `${page}: ${path}`),
  );
  expect(missing).toEqual([]);
});
