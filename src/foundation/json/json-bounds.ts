import { endOfString } from "./edit-json.ts";

/** What a JSON text may hold. All are counted before a value is built from the text. */
export interface JsonBounds {
  readonly nestingMax: number;
  /** Members of objects and elements of lists, at any depth. */
  readonly jsonValuesMax: number;
  /** Characters of a number. */
  readonly numberLengthMax: number;
}

const quote = 34;
const comma = 44;
const minus = 45;
const zero = 48;
const nine = 57;
const colon = 58;
const openBracket = 91;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;
const space = 32;

/** The bound that a JSON text exceeds; undefined if it is within the bounds. Takes time linear in the text, also for invalid JSON. */
export function exceededBound(text: string, bounds: JsonBounds): keyof JsonBounds | undefined {
  return isSurelyWithin(text, bounds) ? undefined : scanned(text, bounds);
}

/** Whether a text is too short for more values, has no longer number, and too few brackets to be nested deeper. */
function isSurelyWithin(text: string, { nestingMax, jsonValuesMax, numberLengthMax }: JsonBounds): boolean {
  return (
    // Each value has at least one character and a separator.
    text.length <= jsonValuesMax * 2 &&
    !hasLongNumber(text, numberLengthMax) &&
    (text.length <= nestingMax || !hasBrackets(text, nestingMax + 1))
  );
}

/** Whether a text has a longer run of the characters of numbers, in strings too. Such a run covers a multiple of its length. */
function hasLongNumber(text: string, lengthMax: number): boolean {
  for (let at = lengthMax; at < text.length; at += lengthMax + 1)
    if (isOfNumber(text.charCodeAt(at)) && isInLongNumber(text, at, lengthMax)) return true;
  return false;
}

function isInLongNumber(text: string, at: number, lengthMax: number): boolean {
  let [begin, end] = [at, at + 1];
  while (end - begin <= lengthMax && isOfNumber(text.charCodeAt(begin - 1))) begin -= 1;
  while (end - begin <= lengthMax && isOfNumber(text.charCodeAt(end))) end += 1;
  return end - begin > lengthMax;
}

/** Whether a text has at least `wanted` opening brackets, including those in strings. */
function hasBrackets(text: string, wanted: number): boolean {
  let found = 0;
  for (const bracket of ["[", "{"])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      found += 1;
      if (found === wanted) return true;
    }
  return false;
}

function scanned(
  text: string,
  { nestingMax, jsonValuesMax, numberLengthMax }: JsonBounds,
): keyof JsonBounds | undefined {
  let [depth, values, isFirst] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= space || code === colon) continue;
    if (code === closeBracket || code === closeBrace) {
      depth -= 1;
      isFirst = false;
      continue;
    }
    // A comma counts the value after it, so only the first value of an object or list counts itself.
    if (isFirst || code === comma) values += 1;
    if (values > jsonValuesMax) return "jsonValuesMax";
    isFirst = code === openBracket || code === openBrace;
    if (isFirst) depth += 1;
    if (depth > nestingMax) return "nestingMax";
    if (code === quote) at = endOfString(text, at + 1);
    else if (code === minus || (code >= zero && code <= nine)) {
      const end = endOfNumber(text, at, numberLengthMax);
      if (end - at > numberLengthMax) return "numberLengthMax";
      at = end - 1;
    }
  }
  return undefined;
}

/** The index after a number; at most one character beyond the bound. */
function endOfNumber(text: string, from: number, numberLengthMax: number): number {
  let at = from + 1;
  while (at - from <= numberLengthMax && isOfNumber(text.charCodeAt(at))) at += 1;
  return at;
}

function isOfNumber(code: number): boolean {
  const isDigit = code >= zero && code <= nine;
  // A point, an exponent and its sign.
  return isDigit || code === 46 || code === 69 || code === 101 || code === 43 || code === minus;
}
