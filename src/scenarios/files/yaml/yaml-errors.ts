import { CST, type Document, isAlias, isCollection, isPair, isScalar, type LineCounter, type Node, visit } from "yaml";
import { fileLimits } from "../file-limits.ts";
import { type ProblemText, problemsMax } from "../problem.ts";
import { isMerge, mergedMaps } from "./merge-keys.ts";
import type { ParsedYaml } from "./yaml-document.ts";
import { limitProblems, type YamlError, yamlProblemOf } from "./yaml-problem.ts";

interface YamlText {
  readonly text: string;
  readonly lines: LineCounter;
}

interface PlacedProblem extends ProblemText {
  readonly offset: number;
}

/** The problems of a text: the first of each line, and none behind an error that the rest of the text follows from. */
export function yamlProblems({ document, tokens, exceeded }: ParsedYaml, yaml: YamlText): readonly PlacedProblem[] {
  const errors = document.errors.length > 0 ? document.errors : [...repeatedKeys(document), ...aliasErrors(document)];
  const cause =
    exceeded === undefined
      ? causeOf(errors, document, tokens)
      : { ...limitProblems[exceeded.name], offset: exceeded.offset };
  const found = new Map<number, PlacedProblem>();
  for (const [index, error] of errors.entries()) {
    if (cause !== undefined && (isOpenQuote(error) || isOpenBracket(error) || isUnopened(error))) continue;
    const next = errors[index + 1];
    // A member without a comma before it is read as the name of one that covers both.
    const isNamed = next?.code === "BLOCK_IN_FLOW" && next.pos[0] === error.pos[0];
    const placed = placedProblem(isNamed ? next : error, yaml);
    if (cause !== undefined && placed.offset >= cause.offset) continue;
    const { line } = yaml.lines.linePos(placed.offset);
    if (!found.has(line)) found.set(line, placed);
    if (found.size > problemsMax) break;
  }
  // An error may be what nests the values behind it. Without one, the limit is the problem.
  const isFollowing = exceeded !== undefined && found.size > 0;
  return [...found.values(), ...(cause === undefined || isFollowing ? [] : [cause])];
}

/** The problem of an error. It is at a tab before the text of its line, if there is one. */
function placedProblem(error: YamlError, { text, lines }: YamlText): PlacedProblem {
  const [offset] = error.pos;
  const { line } = lines.linePos(offset);
  const start = lines.lineStarts[line - 1] ?? 0;
  const indent = /^[ \t]*/.exec(text.slice(start, offset + 1))?.[0] ?? "";
  const tab = indent.indexOf("\t");
  return tab < 0
    ? { ...yamlProblemOf(error), offset }
    : { ...yamlProblemOf({ code: "TAB_AS_INDENT", message: "" }), offset: start + tab };
}

/** The first quote or bracket that has no other end or beginning, or a missing comma that has brackets read as unclosed. */
function causeOf(
  errors: readonly YamlError[],
  document: Document,
  tokens: readonly CST.Token[],
): PlacedProblem | undefined {
  const causes = [openCause(errors, document, tokens), ...errors.filter(isUnopened).slice(0, 1).map(atStart)];
  return causes.filter((cause) => cause !== undefined).toSorted((left, right) => left.offset - right.offset)[0];
}

function openCause(
  errors: readonly YamlError[],
  document: Document,
  tokens: readonly CST.Token[],
): PlacedProblem | undefined {
  const unexpected = errors.find(({ message }) => message.endsWith("at node end"));
  // An open quote within brackets comes before the brackets that it hides the end of.
  const open = errors.find((error) => error === unexpected || isOpenQuote(error) || isOpenBracket(error));
  if (open === undefined) return undefined;
  if (isOpenQuote(open)) return { ...yamlProblemOf(open), offset: lastQuoted(document) ?? open.pos[0] };
  const brackets = bracketsIn(tokens);
  if (open !== unexpected) return unclosedBracket(brackets);
  const [offset] = open.pos;
  if (
    brackets.some((bracket) => bracket.offset < offset && offset < (bracket.end[0]?.offset ?? Number.POSITIVE_INFINITY))
  )
    return atStart({ code: "BLOCK_IN_FLOW", pos: open.pos, message: "" });
  return errors.some(isOpenBracket) ? unclosedBracket(brackets) : undefined;
}

function atStart(error: YamlError): PlacedProblem {
  return { ...yamlProblemOf(error), offset: error.pos[0] };
}

function isOpenQuote({ message }: YamlError): boolean {
  return /closing .quote/.test(message);
}

function isOpenBracket({ message }: YamlError): boolean {
  return /must end with a|sufficiently indented and end with/.test(message);
}

function isUnopened({ message }: YamlError): boolean {
  return /^Unexpected .* token in YAML (?:stream|document)/.test(message);
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

/** The opening brackets of a text in order. */
function bracketsIn(tokens: readonly CST.Token[]): readonly CST.FlowCollection[] {
  const brackets: CST.FlowCollection[] = [];
  for (const document of tokens) {
    if (document.type !== "document") continue;
    CST.visit(document, ({ key, value }) => {
      for (const token of [key, value]) if (token?.type === "flow-collection") brackets.push(token);
    });
  }
  return brackets;
}

/** The first bracket that the bracket of another kind closes; otherwise the first that none closes. */
function unclosedBracket(brackets: readonly CST.FlowCollection[]): PlacedProblem | undefined {
  const open = brackets.filter((bracket) => bracket.end[0]?.source !== closing(bracket));
  const first = open.find(({ end }) => /[\]}]/.test(end[0]?.source ?? "")) ?? open[0];
  return first === undefined
    ? undefined
    : {
        offset: first.offset,
        problem: "a bracket is not closed",
        advice: `Add the closing ${closing(first)}, and indent all lines up to it.`,
      };
}

function closing({ start }: CST.FlowCollection): string {
  return start.source === "[" ? "]" : "}";
}

function repeatedKeys(document: Document): readonly YamlError[] {
  const errors: YamlError[] = [];
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const name: unknown = isScalar(key) ? key.value : key;
        const value = typeof name === "symbol" ? name.description : name;
        const at = offsetOf(key);
        if (seen.has(value) && at !== undefined) errors.push({ code: "DUPLICATE_KEY", pos: [at, at], message: "" });
        seen.add(value);
      }
    },
  });
  return errors;
}

/** Offset where a node begins. */
export function offsetOf(node: unknown): number | undefined {
  if (typeof node !== "object" || node === null || !("range" in node) || !Array.isArray(node.range)) return undefined;
  const start: unknown = node.range[0];
  return typeof start === "number" ? start : undefined;
}

/** The size of a value with the values of its aliases. */
interface Size {
  readonly values: number;
  /** Objects and lists around the innermost value. */
  readonly depth: number;
}

/** Errors of aliases and of merge keys. Their values are counted before any alias is resolved. */
function aliasErrors(document: Document): readonly YamlError[] {
  const errors: YamlError[] = [];
  const anchored = new Map<string, Node>();
  const known = new Map<unknown, Size>();
  let repeated = 0;
  const resolve = (value: unknown) => (isAlias(value) ? anchored.get(value.source) : value);
  visit(document, {
    Pair: (_, pair) => {
      const isAbsent = isAlias(pair.value) && !anchored.has(pair.value.source);
      if (!isMerge(pair) || isAbsent || mergedMaps(pair, resolve) !== undefined) return;
      const at = (isScalar(pair.key) ? pair.key.range?.[0] : undefined) ?? 0;
      errors.push({ code: "BAD_ALIAS", pos: [at, at], message: "no object to merge" });
    },
    Node: (_, node, around) => {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchored.set(node.anchor, node);
        return undefined;
      }
      const value = anchored.get(node.source);
      const size = value === undefined || around.includes(value) ? none : sizeOf(value, known);
      known.set(node, size);
      repeated += size.values;
      const depth = around.filter(isCollection).length + size.depth;
      const message = value === undefined ? "no anchor" : size === none ? "endless" : excess(repeated, depth);
      const at = node.range?.[0] ?? 0;
      if (message !== undefined) errors.push({ code: "BAD_ALIAS", pos: [at, at], message });
      return repeated > fileLimits.aliasValuesMax ? visit.BREAK : undefined;
    },
  });
  return errors;
}

const none: Size = { values: 0, depth: 0 };

function excess(repeated: number, depth: number): string | undefined {
  if (depth > fileLimits.fileNestingMax) return "too deep";
  return repeated > fileLimits.aliasValuesMax ? "too many" : undefined;
}

/** The size of a value. Nested aliases are known, since each is behind its anchor. */
function sizeOf(node: unknown, known: Map<unknown, Size>): Size {
  const found = known.get(node);
  if (found !== undefined) return found;
  if (isPair(node)) return sum([node.key, node.value], known);
  if (!isCollection(node)) return { values: 1, depth: 0 };
  const { values, depth } = sum(node.items, known);
  const size = { values: values + 1, depth: depth + 1 };
  known.set(node, size);
  return size;
}

function sum(nodes: readonly unknown[], known: Map<unknown, Size>): Size {
  let [values, depth] = [0, 0];
  for (const node of nodes) {
    const size = sizeOf(node, known);
    values += size.values;
    depth = Math.max(depth, size.depth);
  }
  return { values, depth };
}
