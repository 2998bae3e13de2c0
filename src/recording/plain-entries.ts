import { isJsonObject, type Json, type JsonObject } from "../http/json.ts";
import { carriageReturn, closeBrace, closeBracket, comma, lineFeed, openBrace, space, tab } from "./_bytes.ts";
import { Envelope } from "./envelope.ts";

/** An entry of a HAR that is a line. */
export interface PlainEntry {
  readonly value: JsonObject;
  /** Where it begins in the bytes, and how many it has. */
  readonly at: number;
  readonly length: number;
}

/** Where the line behind `"entries":[` begins, in a HAR that has nothing else on that line; undefined where it is written otherwise. */
export function plainBeginning(bytes: Uint8Array): number | undefined {
  const end = bytes.indexOf(lineFeed) + 1;
  const envelope = new Envelope();
  for (const byte of bytes.subarray(0, end)) if (envelope.take(byte) !== undefined) return undefined;
  return envelope.isInEntries && envelope.hasLog && envelope.isEntryNext ? end : undefined;
}

/** Whether nothing but the closing brackets of a HAR is behind its entries. */
export function isPlainEnd(text: string): boolean {
  return /^\]\s*\}\s*\}\s*$/.test(text);
}

/**
 * Reads whole lines that hold an entry each, as recorders of large files write them, and gives the text behind the last
 * entry of all where the lines hold it. What anything else comes to is undefined, and a mistake for who reads on.
 */
export function* plainEntries(bytes: Uint8Array): Generator<PlainEntry | undefined, string | undefined> {
  for (let at = 0, next = 0; at < bytes.length; at = next) {
    const found = bytes.indexOf(lineFeed, at);
    next = found < 0 ? bytes.length : found + 1;
    if (bytes[at] === closeBracket) return textOf(bytes.subarray(at));
    if (bytes[at] !== lineFeed) yield entryIn(bytes, at, found < 0 ? next : found);
  }
  return undefined;
}

function entryIn(bytes: Uint8Array, at: number, lineEnd: number): PlainEntry | undefined {
  const end = endOfEntry(bytes, lineEnd);
  if (bytes[at] !== openBrace || bytes[end - 1] !== closeBrace) return undefined;
  const value = objectIn(textOf(bytes.subarray(at, end)));
  return value === undefined ? undefined : { value, at, length: end - at };
}

const decoder = new TextDecoder();

function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Before the comma that belongs to the list. */
function endOfEntry(bytes: Uint8Array, lineEnd: number): number {
  let end = lineEnd;
  while (isBlank(bytes[end - 1])) end -= 1;
  if (bytes[end - 1] !== comma) return end;
  end -= 1;
  while (isBlank(bytes[end - 1])) end -= 1;
  return end;
}

function isBlank(byte: number | undefined): boolean {
  return byte === space || byte === tab || byte === carriageReturn;
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
