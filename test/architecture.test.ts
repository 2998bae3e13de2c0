import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.includes("generated"))
  .map((file) => file.replaceAll("\\", "/"));
const text = (file: string) => readFileSync(join(root, "src", file), "utf8");

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

test("every path named in the README exists", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  for (const [, path = ""] of readme.matchAll(/`(contracts\/[\w./-]+)`/g))
    expect(() => readFileSync(join(root, path))).not.toThrow();
  expect(relative(root, join(root, "src"))).toBe("src");
});
