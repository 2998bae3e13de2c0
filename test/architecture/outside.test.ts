import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";
import { expect, test } from "vitest";
import { root } from "./_sources.ts";

/** Paths that leave the repository and name nothing outside of it, by file. Each must be there. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  // Paths of an installed package, and a folder beside it.
  "bench/cases/test-suite.ts": ["../../../.."],
  // Stubs and fuzzed inputs refuse these.
  "src/entrypoints/library/fixture-roots.test.ts": ["../../../../../../../../etc/hostname"],
  "test/fuzz/_hostile.ts": ["../../../../etc/passwd"],
  // Folders of projects and packages in tests: texts that are compared.
  "src/entrypoints/library/for-user.test.ts": ["/home/a%20b", "/home/a"],
  "test/acceptance/init.test.ts": ["../../../node_modules/canton-understudy/schemas/ledger-fixture.schema.json"],
  // An import in a file that is written to another folder.
  "tools/generate.ts": ["../../../foundation/spec/generated/names.ts"],
};

const unread = ["package-lock.json", "test/architecture/outside.test.ts"];

/** A relative path that goes up, as in code, links and commands. */
const upward = /(?<![\w./:@~$}-])(?:\.\.\/)+[\w.@/-]*/g;
/** A path that goes up from a constant with the root of the repository. */
const upwardFromRoot = /\b(?:root|ROOT)\b["'`})]*[,+\s]*["'`]?(\/?\.\.\/[\w.@/-]*)/g;
/** The folder beside a checkout that sessions share. */
const shared = /(?:\.\.\/)+shared(?![\w-])[\w.@/-]*/g;
/** A home or another folder of one machine. */
const ofMachine = /(?<![\w.@}%-])(?:\/(?:home|Users|work|workspace|mnt|srv)\/|\/root\/)[\w.%-]+/g;

function outsidePaths(file: string, text: string): readonly string[] {
  const leaving = [...text.matchAll(upward)].filter(([path]) => normalize(join(dirname(file), path)).startsWith(".."));
  const others = [upwardFromRoot, shared].flatMap((pattern) => [...text.matchAll(pattern)]);
  const absolute = [...text.matchAll(ofMachine)].filter(({ index }) => !isInAddress(text, index));
  const found = [...leaving, ...others, ...absolute];
  return [...new Set(found.map((match) => match[1] ?? match[0]))];
}

/** Whether the path belongs to `https://host/…`; a `file:` address has no host. */
function isInAddress(text: string, index: number): boolean {
  return /[a-z]+:\/\/[\w.:-]+$/.test(text.slice(Math.max(0, index - 100), index));
}

const up = (count: number, rest: string) => "../".repeat(count) + rest;

test.each([
  ["test/fidelity/x.ts", `new URL("${up(3, "elsewhere/a.json")}", import.meta.url)`],
  ["test/x.test.ts", `join(root, "${up(1, "elsewhere/a.json")}")`],
  ["test/x.test.ts", `\`\${root}${up(1, "elsewhere/a.json")}\``],
  ["tools/x.ts", `console.error("${up(2, "elsewhere")}: not found")`],
  ["tools/x.ts", `console.error("${up(1, "shared/a.json")}: not found")`],
  ["README.md", `[samples](${up(1, "elsewhere/README.md")})`],
  ["docs/x.md", ["Read `", "home", "me", "notes.md`."].join("/")],
  ["x.yaml", ["path: file://", "Users", "me"].join("/")],
])("finds a path outside of the repository in %s: %s", (file, text) => {
  expect(outsidePaths(file, text)).toHaveLength(1);
});

test.each([
  ["docs/decisions/x.md", "[sandbox](../shared-sandbox.md) [root](../../README.md)"],
  ["test/x/y.ts", 'new URL("../..", import.meta.url); "https://example.com/home/me"; docs/../README.md'],
])("a path inside of the repository is allowed in %s: %s", (file, text) => {
  expect(outsidePaths(file, text)).toEqual([]);
});

test("no file of the repository names a path outside of it", () => {
  // Another user may own the checkout.
  const words = ["-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", words, { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean);
  expect(files.length).toBeGreaterThan(1000);
  const found = files
    .filter((file) => !unread.includes(file) && existsSync(join(root, file)))
    .map((file) => [file, outsidePaths(file, textOf(join(root, file)))] as const)
    .filter(([, paths]) => paths.length > 0);
  expect(Object.fromEntries(found)).toEqual(allowed);
});

/** The text of a file; empty for an image. */
function textOf(path: string): string {
  const bytes = readFileSync(path);
  return bytes.includes(0) ? "" : bytes.toString("utf8");
}
