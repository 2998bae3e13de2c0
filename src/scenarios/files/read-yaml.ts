import { isMap, isScalar, isSeq, LineCounter, type YAMLMap } from "yaml";
import { plainMask } from "../../foundation/secrets/mask.ts";
import { isSecretName } from "../../foundation/secrets/secret-name.ts";
import readBefore from "./generated/read-before.json" with { type: "json" };
import { firstOf, type Problem } from "./problem.ts";
import { readAnyJson, readJson } from "./read-json.ts";
import type { Place, SourceFile, ValuePath } from "./source-file.ts";
import { isMerge, mergedMaps, resolverOf } from "./yaml/merge-keys.ts";
import { parseYaml } from "./yaml/yaml-document.ts";
import { offsetOf, yamlProblems } from "./yaml/yaml-errors.ts";

export type SourceResult =
  | { readonly type: "read"; readonly source: SourceFile }
  | { readonly type: "invalid"; readonly problems: readonly Problem[] };

/** Reads YAML 1.2, which includes JSON. Returns all syntax problems. `readAgain` returns the same text. */
export function readYaml(name: string, text: string, readAgain: () => string = () => text): SourceResult {
  const source = sourceReadBefore(name, text) ?? readJson(name, text, readAgain);
  return source === undefined ? readDocument(name, text, readAgain) : { type: "read", source };
}

/** The parsed files of the quickstart, which most starts use; `npm run generate` parses them in advance. */
function sourceReadBefore(name: string, text: string): SourceFile | undefined {
  const known = readBefore.find((candidate) => candidate.text === text);
  if (known === undefined) return undefined;
  return {
    name,
    value: known.value,
    isChecked: true,
    placeOf(path, part) {
      const read = readDocument(name, text, () => text);
      return read.type === "read" ? read.source.placeOf(path, part) : { line: 1, column: 1 };
    },
  };
}

/** Reads a text with the library for YAML. */
export function readDocument(name: string, text: string, readAgain: () => string): SourceResult {
  const lines = new LineCounter();
  const parsed = parseYaml(text, lines);
  const resolve = resolverOf(parsed.document);
  const childOf = createChildFinder(resolve);
  const json = parsed.exceeded?.name === "yamlTokensMax" ? readAnyJson(name, text, readAgain) : undefined;
  if (json !== undefined) return { type: "read", source: json };
  const found = yamlProblems(parsed, { text, lines });
  const hasSecrets = found.length > 0 && mayHoldSecrets(text);
  const problems = firstOf(found, ({ offset, problem, advice }) => ({
    file: name,
    ...placeAt(offset),
    problem,
    advice,
    ...(hasSecrets ? {} : { excerpt: codeFrame(text, offset) }),
  }));
  if (problems.length > 0) return { type: "invalid", problems };
  const { document } = parsed;
  // The values of aliases are counted.
  return { type: "read", source: { name, value: document.toJS({ maxAliasCount: -1 }), placeOf } };

  function placeOf(path: ValuePath, part: "value" | "name" = "value"): Place {
    let [node, found]: [unknown, number] = [document.contents, 0];
    for (const [index, segment] of path.entries()) {
      const pair = childOf(resolve(node), segment);
      node = pair?.value;
      const offset = offsetOf(part === "name" && index === path.length - 1 ? pair?.key : node);
      if (offset === undefined) break;
      found = offset;
    }
    return placeAt(found);
  }

  function placeAt(offset: number): Place {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }
}

interface Child {
  /** The name of a member; the value itself for an element of a list. */
  readonly key: unknown;
  readonly value: unknown;
}

/** Finds a member or an element. Caches members, since a file may have many problems. */
function createChildFinder(
  resolve: (value: unknown) => unknown,
): (parent: unknown, segment: string | number) => Child | undefined {
  const known = new Map<unknown, ReadonlyMap<string, Child>>();
  return (parent, segment) => {
    if (isSeq(parent)) return { key: parent.items[Number(segment)], value: parent.items[Number(segment)] };
    if (!isMap(parent)) return undefined;
    return membersOf(parent).get(String(segment));
  };

  /** The members of an object, those of its merge keys included. */
  function membersOf(parent: YAMLMap): ReadonlyMap<string, Child> {
    const found = known.get(parent);
    if (found !== undefined) return found;
    const merged = parent.items.filter(isMerge).flatMap((pair) => mergedMaps(pair, resolve) ?? []);
    const own = parent.items
      .filter((pair) => !isMerge(pair))
      .map((pair) => [String(isScalar(pair.key) ? pair.key.value : pair.key), pair] as const);
    const members = new Map([...merged.toReversed().flatMap((map) => [...membersOf(map)]), ...own]);
    known.set(parent, members);
    return members;
  }
}

/** Longer files are not searched for secrets. */
const searchedLengthMax = 1_000_000;
/** The name of a value that begins on a later line. */
const nameAtEnd = /^[ \t-]*["']?([^\s"':]+)["']?\s*:\s*[|>]?[-+\d]*\s*$/gm;

/** Whether the lines of a file are not shown: it may hold tokens, as a target file does, or other secrets. */
function mayHoldSecrets(text: string): boolean {
  if (text.length > searchedLengthMax || /\btokens["']?\s*:/.test(text) || plainMask(text) !== text) return true;
  return [...text.matchAll(nameAtEnd)].some(([, name = ""]) => isSecretName(name));
}
/** Characters of a line in a frame: most of them before the marked place. */
const [beforeMax, lengthMax] = [60, 100];

/** The lines around a place with a mark below it. Tabs are shown as arrows. The text has no secrets. */
function codeFrame(text: string, offset: number): readonly string[] {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const number = text.slice(0, start).split("\n").length;
  const before = start === 0 ? [] : [text.slice(text.lastIndexOf("\n", start - 2) + 1, start - 1)];
  const end = text.indexOf("\n", offset);
  const line = text.slice(start, end < 0 ? undefined : end);
  const column = Math.min(offset - start, line.length);
  const from = Math.max(0, column - beforeMax);
  const width = String(number + 1).length;
  const after = end < 0 ? undefined : text.slice(end + 1).split("\n", 1)[0];
  return [
    ...before.map((shown) => `  ${String(number - 1).padStart(width)} | ${visible(shown, 0)}`),
    `> ${String(number).padStart(width)} | ${visible(line, from)}`,
    `  ${" ".repeat(width)} | ${" ".repeat(column - from)}^`,
    ...(after === undefined || after === "" ? [] : [`  ${number + 1} | ${visible(after, 0)}`]),
  ];
}

function visible(line: string, from: number): string {
  return line
    .slice(from, from + lengthMax)
    .replaceAll("\t", "→")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "\uFFFD");
}
