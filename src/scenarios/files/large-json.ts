import { LineCounter } from "yaml";
import type { Json } from "../../foundation/json/json.ts";
import { exceededBound, type JsonBounds } from "../../foundation/json/json-bounds.ts";
import { fileLimits } from "./file-limits.ts";
import type { Place, SourceFile, ValuePath } from "./source-file.ts";

/** Length from which a text is read as JSON. Shorter texts are read as YAML, which detects duplicate keys but is slow. */
export const largeJsonMin = 1_000_000;

/** Texts with deeper nesting go to the YAML reader, which reports the problem. */
const bounds: JsonBounds = {
  nestingMax: fileLimits.fileNestingMax,
  jsonValuesMax: Number.POSITIVE_INFINITY,
  numberLengthMax: Number.POSITIVE_INFINITY,
};

/**
 * Reads a large JSON text; undefined for a small text or one that is not JSON. The text is not stored: few files
 * have problems, so `placeOf` reads the text again.
 */
export function readLargeJson(name: string, text: string, readAgain: () => string): SourceFile | undefined {
  return text.length < largeJsonMin ? undefined : readJson(name, text, readAgain);
}

/** Reads a JSON text of any length; undefined for a text that is not JSON, or is nested too deeply. */
export function readJson(name: string, text: string, readAgain: () => string): SourceFile | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  const value = exceededBound(text, bounds) === undefined ? parsed(text) : undefined;
  if (value === undefined) return undefined;
  let places: ReturnType<typeof placesIn> | undefined;
  return {
    name,
    value,
    placeOf(path) {
      places ??= placesIn(readAgain());
      return places(path);
    },
  };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Finds the place of a path. Caches visited objects, since a file may have many problems. */
function placesIn(text: string): (path: ValuePath) => Place {
  const lines = new LineCounter();
  for (let at = 0; at >= 0; at = text.indexOf("\n", at) + 1 || -1) lines.addNewLine(at);
  const children = new Map<number, ReturnType<typeof childrenOf>>();
  return (path) => {
    let at = skipSpace(text, 0);
    for (const segment of path) {
      const known = children.get(at) ?? childrenOf(text, at);
      children.set(at, known);
      const inner = known(String(segment));
      if (inner === undefined) break;
      at = inner;
    }
    const { line, col } = lines.linePos(at);
    return { line, column: col };
  };
}

/** The start position of a member or an element of the value at `start`, by its name or index. The text must be JSON. */
function childrenOf(text: string, start: number): (segment: string) => number | undefined {
  const members = new Map<string, number>();
  // A map of millions of elements would take seconds.
  const elements: number[] = [];
  const isObject = text[start] === "{";
  if (!isObject && text[start] !== "[") return () => undefined;
  let at = skipSpace(text, start + 1);
  while (text[at] !== "}" && text[at] !== "]") {
    if (isObject) {
      const end = skipString(text, at);
      let name = text.slice(at + 1, end - 1);
      if (name.includes("\\")) name = JSON.parse(`"${name}"`);
      at = skipSpace(text, skipSpace(text, end) + 1);
      members.set(name, at);
    } else elements.push(at);
    at = skipSpace(text, skipValue(text, at));
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return (segment) => (isObject ? members.get(segment) : elements[Number(segment)]);
}

function skipValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = skipString(text, at) - 1;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    if (depth < 0 || (depth === 0 && character === ",")) return at;
    if (depth === 0 && (character === "}" || character === "]")) return at + 1;
  }
  return text.length;
}

function skipString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at += 1;
  return at;
}
