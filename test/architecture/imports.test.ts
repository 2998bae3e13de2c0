import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { circlesIn, folderOf, forbiddenImports, importsOf, importTables, moduleOf } from "./_imports.ts";
import { own, root, sourceOf, sources } from "./_sources.ts";

const tables = importTables(readFileSync(join(root, "ARCHITECTURE.md"), "utf8"));
const inFolders = sources.map(({ file }) => file).filter((file) => file.includes("/"));

test("src has at most nine modules, each with a row in the import table, and no row is left over", () => {
  const modules = [...new Set(inFolders.map(moduleOf))].sort();
  expect([...tables.modules.keys()].sort()).toEqual(modules);
  expect(modules.length).toBeLessThanOrEqual(9);
});

test("every folder of a module has a row in the table of folders, and no row is left over", () => {
  expect([...tables.folders.keys()].sort()).toEqual([...new Set(inFolders.map(folderOf))].sort());
});

test("imports follow the tables", () => {
  expect(forbiddenImports(sources, tables)).toEqual([]);
});

test("no files import each other in a circle", () => {
  expect(circlesIn(own)).toEqual([]);
});

const planted = {
  modules: new Map([
    ["foundation", []],
    ["checker", ["foundation"]],
    ["stub", ["foundation"]],
  ]),
  folders: new Map([["checker/engine", []]]),
};

test.each([
  ["an import", "stub/a.ts", 'import { b } from "../checker/engine/b.ts";'],
  ["an import of types", "stub/a.ts", 'import type { B } from "../checker/engine/b.ts";'],
  ["an export from another file", "stub/a.ts", 'export { b } from "../checker/engine/b.ts";'],
  ["a dynamic import", "stub/a.ts", 'const load = () => import("../checker/engine/b.ts");'],
  [
    "an import in a .tsx file",
    "stub/a.tsx",
    'import { b } from "../checker/engine/b.ts";\nexport const c = <p>{b}</p>;',
  ],
  ["an import between folders of a module", "checker/reports/a.ts", 'import { b } from "../engine/b.ts";'],
])("%s that the tables do not allow is found", (_form, file, text) => {
  expect(forbiddenImports([sourceOf(file, text)], planted)).toEqual([`${file} imports checker/engine/b.ts`]);
});

test.each([
  ["values", 'import { b } from "./b.ts";', 'import { a } from "./a.ts";'],
  ["types", 'import type { B } from "./b.ts";', 'import type { A } from "./a.ts";'],
  ["a dynamic import", 'export const load = () => import("./b.ts");', 'import { load } from "./a.ts";'],
])("a circle of %s is found", (_form, a, b) => {
  const around = [sourceOf("stub/a.ts", a), sourceOf("stub/b.ts", b), sourceOf("stub/c.ts", 'import "./a.ts";')];
  expect(circlesIn(around)).toEqual([["stub/a.ts", "stub/b.ts"]]);
});

test("no folder has more than 30 files of its own, tests not counted", () => {
  const folders = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .map(({ parentPath }) => parentPath);
  const counts = Map.groupBy(folders, (folder) => folder);
  expect([...counts].filter(([, files]) => files.length > 30).map(([folder]) => folder)).toEqual([]);
});

/** The files that are loaded with a file: values alone, and nothing that is loaded later. */
function loadedWith(start: string): ReadonlySet<string> {
  const known = new Map(own.map((source) => [source.file, source]));
  const seen = new Set<string>();
  const follow = (target: string): void => {
    if (seen.has(target)) return;
    seen.add(target);
    const source = known.get(target);
    if (source === undefined) return;
    for (const { target: next, isType, isDynamic } of importsOf(source)) if (!isType && !isDynamic) follow(next);
  };
  follow(start);
  return seen;
}

test("what a page loads needs nothing of Node", () => {
  const loaded = loadedWith("entrypoints/library/in-page.ts");
  expect([...loaded].filter((target) => target.startsWith("node:"))).toEqual([]);
  expect(loaded.size).toBeGreaterThan(100);
});

test("the command line knows its commands without loading them, nor any library", () => {
  const loaded = loadedWith("entrypoints/cli/run-command-line.ts");
  expect(loaded).toContain("entrypoints/cli/commands.ts");
  expect([...loaded].filter((name) => !/^(?:entrypoints\/cli\/|node:)/.test(name)).sort()).toEqual([
    "entrypoints/config/find-config.ts",
    "entrypoints/library/files.ts",
    "entrypoints/library/fixture-roots.ts",
    "entrypoints/programs/files/matching-files.ts",
    "entrypoints/programs/files/system-error.ts",
    "entrypoints/programs/user-error.ts",
    "entrypoints/programs/version.ts",
    "foundation/limits/limits.ts",
    "foundation/text/printable.ts",
    "foundation/text/suggestion.ts",
    "foundation/text/wide-text.ts",
  ]);
});

test("serve loads nothing of what only other commands need", () => {
  const others =
    /^(?:scenarios\/(?:generation|inference)|entrypoints\/(?:export|pact|testing)|transport\/proxy|recordings)\/|^json-schema-faker|^@stoplight/;
  expect([...loadedWith("entrypoints/cli/serve/serve.ts")].filter((name) => others.test(name))).toEqual([]);
});
