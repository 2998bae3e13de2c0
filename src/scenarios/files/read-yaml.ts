import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  Parser,
  visit,
  YAMLParseError,
} from "yaml";
import { plainMask } from "../../foundation/secrets/mask.ts";
import { isSecretName } from "../../foundation/secrets/secret-name.ts";
import { codeFrame } from "./code-frame.ts";
import readBefore from "./generated/read-before.json" with { type: "json" };
import { readLargeJson } from "./large-json.ts";
import { firstOf, type Problem, problemsMax } from "./problem.ts";
import type { Place, SourceFile, ValuePath } from "./source-file.ts";
import { yamlProblemOf } from "./yaml-problem.ts";

export type SourceResult =
  | { readonly type: "read"; readonly source: SourceFile }
  | { readonly type: "invalid"; readonly problems: readonly Problem[] };

const aliasesMax = 100;

/** Reads YAML 1.2, which includes JSON. Returns all syntax problems. `readAgain` returns the same text. */
export function readYaml(name: string, text: string, readAgain: () => string = () => text): SourceResult {
  const source = sourceReadBefore(name, text) ?? readLargeJson(name, text, readAgain);
  if (source !== undefined) return { type: "read", source };
  try {
    return readDocument(name, text);
  } catch (error) {
    // The library throws ReferenceError for aliases that multiply, and runs out of stack on deep nesting.
    if (!(error instanceof ReferenceError || error instanceof RangeError)) throw error;
    const problem = `the file cannot be read as YAML: ${error.message}`;
    return {
      type: "invalid",
      problems: [{ file: name, line: 1, column: 1, problem, advice: "Nest it less deeply and use fewer aliases." }],
    };
  }
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
      const read = readDocument(name, text);
      return read.type === "read" ? read.source.placeOf(path, part) : { line: 1, column: 1 };
    },
  };
}

/** The library's own duplicate check and pretty errors are too slow for large files. */
const reading = { prettyErrors: false, uniqueKeys: false, schema: "core", resolveKnownTags: false } as const;

/** Unexpected characters that are listed; each costs as much time as a hundred others. */
const unexpectedMax = 1000;

/** Parses a text; with very many unexpected characters, only its beginning. A second document is an error. */
function documentIn(text: string, lines: LineCounter): Document.Parsed {
  const tokens = new Parser(lines.addNewLine).parse(text);
  const [document, second] = new Composer(reading).compose(upToUnexpected(tokens), true, text.length);
  if (document === undefined) throw new Error("invariant: every text has a document");
  if (second !== undefined)
    document.errors.push(new YAMLParseError([second.range[0], second.range[1]], "MULTIPLE_DOCS", ""));
  return document;
}

function* upToUnexpected(tokens: Iterable<CST.Token>): Iterable<CST.Token> {
  let unexpected = 0;
  for (const token of tokens) {
    if (token.type === "error") unexpected += 1;
    if (unexpected > unexpectedMax) return;
    yield token;
  }
}

function readDocument(name: string, text: string): SourceResult {
  const lines = new LineCounter();
  const childOf = createChildFinder();
  const document = documentIn(text, lines);
  const errors =
    document.errors.length > 0 ? document.errors : [...repeatedKeys(document), ...endlessAliases(document)];
  const hasSecrets = errors.length > 0 && mayHoldSecrets(text);
  const problems = firstOf(firstOfLines(errors, document, { text, lines }), (error) => ({
    file: name,
    ...placeAt(error.offset),
    ...yamlProblemOf(error),
    ...(hasSecrets ? {} : { excerpt: codeFrame(text, error.offset) }),
  }));
  if (problems.length > 0) return { type: "invalid", problems };
  return { type: "read", source: { name, value: document.toJS({ maxAliasCount: aliasesMax }), placeOf } };

  function placeOf(path: ValuePath, part: "value" | "name" = "value"): Place {
    let [node, found]: [unknown, number] = [document.contents, 0];
    for (const [index, segment] of path.entries()) {
      const pair = childOf(isAlias(node) ? node.resolve(document) : node, segment);
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
function createChildFinder(): (parent: unknown, segment: string | number) => Child | undefined {
  const known = new Map<unknown, ReadonlyMap<string, Child>>();
  return (parent, segment) => {
    if (isSeq(parent)) return { key: parent.items[Number(segment)], value: parent.items[Number(segment)] };
    if (!isMap(parent)) return undefined;
    const nameOf = (key: unknown) => String(isScalar(key) ? key.value : key);
    const members = known.get(parent) ?? new Map(parent.items.map((pair) => [nameOf(pair.key), pair]));
    known.set(parent, members);
    return members.get(String(segment));
  };
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

type KeyError = Pick<Document["errors"][number], "code" | "pos" | "message">;

interface PlacedError extends Pick<KeyError, "code" | "message"> {
  readonly offset: number;
}

interface YamlText {
  readonly text: string;
  readonly lines: LineCounter;
}

/** The first error of each line; the others follow from it. */
function firstOfLines(errors: readonly KeyError[], document: Document, yaml: YamlText): readonly PlacedError[] {
  const quote = errors.some(isOpenQuote) ? lastQuoted(document) : undefined;
  const found = new Map<number, PlacedError>();
  for (const error of errors) {
    const placed = placedError(error, quote, yaml);
    const { line } = yaml.lines.linePos(placed.offset);
    if (!found.has(line)) found.set(line, placed);
    if (found.size > problemsMax) break;
  }
  return [...found.values()];
}

/** The error with the offset of its cause: `quote`, that of the opening quote, or that of a tab before the text. */
function placedError(error: KeyError, quote: number | undefined, { text, lines }: YamlText): PlacedError {
  const { code, message, pos } = error;
  if (isOpenQuote(error)) return { code, message, offset: quote ?? pos[0] };
  const { line } = lines.linePos(pos[0]);
  const start = lines.lineStarts[line - 1] ?? 0;
  const indent = /^[ \t]*/.exec(text.slice(start, pos[0] + 1))?.[0] ?? "";
  const tab = indent.indexOf("\t");
  return tab < 0 ? { code, message, offset: pos[0] } : { code: "TAB_AS_INDENT", message, offset: start + tab };
}

function isOpenQuote({ message }: KeyError): boolean {
  return /closing .quote/.test(message);
}

/** The offset of the last text in quotes, which is the one without an end. */
function lastQuoted(document: Document): number | undefined {
  let last: number | undefined;
  visit(document, {
    Scalar: (_, node) => {
      if (node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE") last = offsetOf(node);
    },
  });
  return last;
}

function repeatedKeys(document: Document): readonly KeyError[] {
  const errors: KeyError[] = [];
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const value: unknown = isScalar(key) ? key.value : key;
        const at = offsetOf(key);
        if (seen.has(value) && at !== undefined) errors.push({ code: "DUPLICATE_KEY", pos: [at, at], message: "" });
        seen.add(value);
      }
    },
  });
  return errors;
}

/** Aliases of a value that contains them. */
function endlessAliases(document: Document): readonly KeyError[] {
  const errors: KeyError[] = [];
  const anchored = new Map<string, Node>();
  visit(document, {
    Node: (_, node, around) => {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchored.set(node.anchor, node);
        return;
      }
      const [value, at] = [anchored.get(node.source), offsetOf(node)];
      if (value !== undefined && around.includes(value) && at !== undefined)
        errors.push({ code: "BAD_ALIAS", pos: [at, at], message: "the value contains it" });
    },
  });
  return errors;
}

function offsetOf(node: unknown): number | undefined {
  if (typeof node !== "object" || node === null || !("range" in node) || !Array.isArray(node.range)) return undefined;
  const start: unknown = node.range[0];
  return typeof start === "number" ? start : undefined;
}
