/** Where two values differ: JSON pointer, what was expected and what came, for a person to read. */
export interface ValueDifference {
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
}

/**
 * How a value differs from what is expected of it. An object has to have the members that are expected and may have more,
 * a list has to have the same length; a RegExp is matched by texts, and what a test framework calls an asymmetric matcher
 * (`expect.any(String)`) decides for itself.
 */
export function differences(expected: unknown, actual: unknown, pointer = ""): readonly ValueDifference[] {
  if (isAsymmetric(expected))
    return expected.asymmetricMatch(actual) ? [] : [differs(pointer, nameOf(expected), actual)];
  if (expected instanceof RegExp)
    return typeof actual === "string" && actual.search(expected) >= 0
      ? []
      : [differs(pointer, String(expected), actual)];
  if (Array.isArray(expected)) return ofLists(expected, actual, pointer);
  if (typeof expected === "object" && expected !== null) return ofObjects(expected, actual, pointer);
  return Object.is(expected, actual) ? [] : [differs(pointer, shown(expected), actual)];
}

function ofLists(expected: readonly unknown[], actual: unknown, pointer: string): readonly ValueDifference[] {
  if (!Array.isArray(actual)) return [differs(pointer, shown(expected), actual)];
  if (actual.length !== expected.length)
    return [differs(pointer, `a list of ${expected.length}`, actual, `a list of ${actual.length}`)];
  return expected.flatMap((entry, index) => differences(entry, actual[index], `${pointer}/${index}`));
}

function ofObjects(expected: object, actual: unknown, pointer: string): readonly ValueDifference[] {
  if (typeof actual !== "object" || actual === null || Array.isArray(actual))
    return [differs(pointer, shown(expected), actual)];
  const members = new Map(Object.entries(actual));
  return Object.entries(expected).flatMap(([name, value]) =>
    differences(value, members.get(name), `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`),
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

/** For JSON.stringify: patterns, matchers and long integers as they are written, since JSON has no form for them. */
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

/** Whether a value decides for itself what it equals, as `expect.any(String)` does. */
function isAsymmetric(value: unknown): value is AsymmetricMatcher {
  return (
    typeof value === "object" &&
    value !== null &&
    "asymmetricMatch" in value &&
    typeof value.asymmetricMatch === "function"
  );
}
