import { LineCounter } from "yaml";
import { endOfString, unescaped } from "../../foundation/json/edit-json.ts";
import type { Json } from "../../foundation/json/json.ts";
import { exceededBound, type JsonBounds } from "../../foundation/json/json-bounds.ts";
import { repeatedMember } from "../../foundation/json/repeated-member.ts";
import { fileLimits } from "./file-limits.ts";
import type { SourceFile } from "./source-file.ts";

/** Length up to which repeated names are found. Texts with some go to the YAML reader, which reports them. */
export const uniqueNamesLengthMax = 1_000_000;

/** Texts with deeper nesting go to the YAML reader, which reports the problem. */
const bounds: JsonBounds = {
  nestingMax: fileLimits.fileNestingMax,
  jsonValuesMax: Number.POSITIVE_INFINITY,
  numberLengthMax: Number.POSITIVE_INFINITY,
};

/**
 * Reads a JSON text, many times faster than the YAML reader; undefined for a text that is not JSON, is nested too deeply or
 * repeats names. The text is not stored: few files have problems, so `placeOf` reads the text again.
 */
export function readJson(name: string, text: string, readAgain: () => string): SourceFile | undefined {
  const source = readAnyJson(name, text, readAgain);
  if (source === undefined || text.length > uniqueNamesLengthMax) return source;
  return repeatedMember(text, source.value) === undefined ? source : undefined;
}

/** Reads a JSON text that may repeat names: the last value counts. */
export function readAnyJson(name: string, text: string, readAgain: () => string): SourceFile | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  const value = exceededBound(text, bounds) === undefined ? parsed(text) : undefined;
  if (value === undefined) return undefined;
  let places: ReturnType<typeof placesIn> | undefined;
  return {
    name,
    value,
    placeOf(path, part = "value") {
      places ??= placesIn(readAgain());
      return places(path, part);
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
function placesIn(text: string): SourceFile["placeOf"] {
  const lines = new LineCounter();
  for (let at = 0; at >= 0; at = text.indexOf("\n", at) + 1 || -1) lines.addNewLine(at);
  const children = new Map<number, ReturnType<typeof childrenOf>>();
  return (path, part) => {
    let [at, found] = [skipSpace(text, 0), 0];
    for (const [index, segment] of path.entries()) {
      const known = children.get(at) ?? childrenOf(text, at);
      children.set(at, known);
      const child = known(String(segment));
      if (child === undefined) break;
      at = child.value;
      found = part === "name" && index === path.length - 1 ? child.key : at;
    }
    const { line, col } = lines.linePos(found);
    return { line, column: col };
  };
}

/** Start positions of a member, or of an element, which is its own key. */
interface Child {
  readonly key: number;
  readonly value: number;
}

/** The children of the value at `start`, by name or index. The text must be JSON, unless the file has changed. */
function childrenOf(text: string, start: number): (segment: string) => Child | undefined {
  const members = new Map<string, Child>();
  // A map of millions of elements would take seconds.
  const elements: number[] = [];
  const isObject = text[start] === "{";
  if (!isObject && text[start] !== "[") return () => undefined;
  let at = skipSpace(text, start + 1);
  while (at < text.length && text[at] !== "}" && text[at] !== "]") {
    if (isObject) {
      const [key, end] = [at, skipString(text, at)];
      at = skipSpace(text, skipSpace(text, end) + 1);
      members.set(unescaped(text.slice(key + 1, end - 1)), { key, value: at });
    } else elements.push(at);
    at = skipSpace(text, skipValue(text, at));
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return (segment) => {
    if (isObject) return members.get(segment);
    const value = elements[Number(segment)];
    return value === undefined ? undefined : { key: value, value };
  };
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
  return endOfString(text, start + 1) + 1;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at += 1;
  return at;
}
