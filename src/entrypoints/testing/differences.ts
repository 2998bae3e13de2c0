import { escapeSegment } from "../../foundation/spec/operation.ts";
/** One difference between two values: its JSON pointer, and both values as text for people. */
export interface ValueDifference {
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
}

/**
 * Compares a value with the expected one. An object may have additional members; a list has the same length. A RegExp
 * matches strings. An asymmetric matcher of a test framework, such as `expect.any(String)`, is called with the value.
 */
export function differences(expected: unknown, actual: unknown, pointer = ""): readonly ValueDifference[] {
  if (isAsymmetric(expected))
    return expected.asymmetricMatch(actual) ? [] : [differs(pointer, nameOf(expected), actual)];
  if (expected instanceof RegExp)
    return typeof actual === "string" && actual.search(expected) >= 0
      ? []
      : [differs(pointer, String(expected), actual)];
  if (Array.isArray(expected)) return listDifferences(expected, actual, pointer);
  if (typeof expected === "object" && expected !== null) return objectDifferences(expected, actual, pointer);
  return Object.is(expected, actual) ? [] : [differs(pointer, shown(expected), actual)];
}

function listDifferences(expected: readonly unknown[], actual: unknown, pointer: string): readonly ValueDifference[] {
  if (!Array.isArray(actual)) return [differs(pointer, shown(expected), actual)];
  if (actual.length !== expected.length)
    return [differs(pointer, `a list of ${expected.length}`, actual, `a list of ${actual.length}`)];
  return expected.flatMap((entry, index) => differences(entry, actual[index], `${pointer}/${index}`));
}

function objectDifferences(expected: object, actual: unknown, pointer: string): readonly ValueDifference[] {
  if (typeof actual !== "object" || actual === null || Array.isArray(actual))
    return [differs(pointer, shown(expected), actual)];
  const members = new Map(Object.entries(actual));
  return Object.entries(expected).flatMap(([name, value]) =>
    differences(value, members.get(name), `${pointer}/${escapeSegment(name)}`),
  );
}

function differs(pointer: string, expected: string, actual: unknown, shownActual = shown(actual)): ValueDifference {
  return { pointer, expected, actual: shownActual };
}

const shownLengthMax = 200;

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value, asWritten) ?? String(value);
  return text.length > shownLengthMax ? `${text.slice(0, shownLengthMax)}…` : text;
}

/** Replacer for JSON.stringify: patterns, matchers and long integers as text, since JSON has no form for them. */
export function asWritten(_name: string, value: unknown): unknown {
  if (typeof value === "bigint" || value instanceof RegExp) return String(value);
  return isAsymmetric(value) ? nameOf(value) : value;
}

function nameOf(matcher: AsymmetricMatcher): string {
  return matcher.toAsymmetricMatcher?.() ?? String(matcher);
}

interface AsymmetricMatcher {
  asymmetricMatch(actual: unknown): boolean;
  toAsymmetricMatcher?(): string;
}

/** Whether a value is an asymmetric matcher, such as `expect.any(String)`. */
function isAsymmetric(value: unknown): value is AsymmetricMatcher {
  return (
    typeof value === "object" &&
    value !== null &&
    "asymmetricMatch" in value &&
    typeof value.asymmetricMatch === "function"
  );
}
