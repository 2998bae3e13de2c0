import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fromYAMLFilePaths } from "prh";
import { createLinter, loadTextlintrc } from "textlint";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { proseOf } from "./_prose.ts";
import { root, type Source, sourceOf, sources } from "./_sources.ts";

const dictionary = fromYAMLFilePaths(join(root, "tools/words/dictionary.yml"));
const allowed: readonly RegExp[] = parse(readFileSync(join(root, "tools/words/allowed.yml"), "utf8")).map(
  (pattern: string) => new RegExp(pattern.slice(1, -1), "gi"),
);

/** The words in the prose of a source that the dictionary replaces, each with its place and what to say instead. */
function foreignWords(source: Source): readonly string[] {
  const lines: string[] = [];
  for (const { line, text } of proseOf(source)) lines[line - 1] = [lines[line - 1] ?? "", text].join(" ");
  return foreignText(
    source.file,
    Array.from(lines, (line) => line ?? ""),
  );
}

function foreignText(file: string, lines: readonly string[]): readonly string[] {
  const text = lines.map((line) => allowed.reduce((left, pattern) => left.replaceAll(pattern, "…"), line)).join("\n");
  return dictionary
    .makeChangeSet(file, text)
    .diffs.map(
      ({ index, matches, rule }) =>
        `${file}:${text.slice(0, index).split("\n").length}: ${matches?.[0]} → ${rule?.expected}`,
    );
}

/** The files of a folder whose names match, generated ones left out, each with its text. */
function filesOf(folder: string, name: RegExp): readonly (readonly [file: string, text: string])[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
    .filter((file) => name.test(file) && !file.includes("generated/") && !file.includes("node_modules/"))
    .map((file) => [file, readFileSync(join(root, file), "utf8")]);
}

function sourcesOf(folder: string): readonly Source[] {
  return filesOf(folder, /\.tsx?$/)
    .filter(([file]) => !file.endsWith("/language.test.ts"))
    .map(([file, text]) => sourceOf(file, text));
}

test("comments and messages of src use the words of the project", () => {
  expect(sources.flatMap(foreignWords)).toEqual([]);
});

test.each(["bench", "test", "tools"])("titles, comments and messages of %s use the words of the project", (folder) => {
  expect(sourcesOf(folder).flatMap(foreignWords)).toEqual([]);
});

test.each(["contracts", "fixtures", "scenarios", "schemas"])(
  "descriptions in %s use the words of the project",
  (folder) => {
    expect(filesOf(folder, /\.(?:ya?ml|json)$/).flatMap(([file, text]) => foreignText(file, text.split("\n")))).toEqual(
      [],
    );
  },
);

test.each([
  ["a message", "export const text = 'the request speaks for nobody';"],
  ["a template", "export const text = (name: string) => `$" + "{name} is told the answer`;"],
  ["a comment", "/** Returns what came\n * back. */\nexport const text = 1;"],
  ["JSX", "export const view = () => <p>Judge the response</p>;"],
])("finds a word of the dictionary in %s", (_, text) => {
  expect(foreignWords(sourceOf("planted.tsx", text))).not.toEqual([]);
});

test.each([
  ["an identifier", "export const conduct = { judge: 'neighbours' };"],
  ["code in a comment", "/** Sets `conduct`. */\nexport const text = 1;"],
  ["an allowed phrase", "/** Reads the Arazzo document. */\nexport const text = 1;"],
])("leaves %s alone", (_, text) => {
  expect(foreignWords(sourceOf("planted.tsx", text))).toEqual([]);
});

test("finds a word of the dictionary in a page", async () => {
  const linter = createLinter({ descriptor: await loadTextlintrc({ configFilePath: join(root, ".textlintrc.json") }) });
  const { messages } = await linter.lintText("# A page\n\nThe stub is a stand-in. `conduct` is code.\n", "page.md");
  expect(messages.map(({ message }) => message)).toEqual([expect.stringContaining("stand-in")]);
});
