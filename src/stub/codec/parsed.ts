import type { Json } from "../../foundation/json/json.ts";

/** A JSON value whose numbers may be kept as they were written. */
export type Parsed = Scalar | NumberText | readonly Parsed[] | ParsedObject;
/** A JSON object whose numbers may be kept as they were written. */
export interface ParsedObject {
  readonly [member: string]: Parsed;
}

type Scalar = null | boolean | number | bigint | string;

/** A number as it was written. */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function isParsedObject(value: Parsed | undefined): value is ParsedObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof NumberText);
}

/** The value with its numbers as `parseJson` gives them. */
export function plainJson(value: Parsed): Json {
  if (value instanceof NumberText) return plainNumber(value.text);
  if (isParsedList(value)) return value.map(plainJson);
  if (!isParsedObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plainJson(inner)]));
}

export function isParsedList(value: Parsed): value is readonly Parsed[] {
  return Array.isArray(value);
}

function plainNumber(text: string): Json {
  const value = Number(text);
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(text) ? value : BigInt(text);
}

/** The value as JSON without white space, with numbers as they were written. */
export function textOfParsed(value: Parsed): string {
  if (value instanceof NumberText) return value.text;
  if (typeof value === "string") return quoted(value);
  if (isParsedList(value)) return `[${value.map(textOfParsed).join(",")}]`;
  if (!isParsedObject(value)) return String(value);
  const members = Object.entries(value).map(([name, inner]) => `${quoted(name)}:${textOfParsed(inner)}`);
  return `{${members.join(",")}}`;
}

const escaped: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function quoted(text: string): string {
  // A node escapes the control characters of ISO 8859-1 too.
  return `"${text.replace(/["\\\p{Cc}]/gu, (character) => escaped[character] ?? unicodeEscape(character))}"`;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
