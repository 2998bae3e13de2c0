import { formatJson, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import type { BodyFinding, BodyPlace } from "./_body-place.ts";
import { tryPattern } from "./_pattern.ts";
import { typesOf } from "./_schema.ts";
import { type Matcher, matcherNames } from "./matching-rules.ts";

type MatcherFinding = Pick<BodyFinding, "outcome" | "expected" | "actual">;

/** Compares the matchers of a value with its schema. Of matchers combined by OR, one that the schema satisfies is enough. */
export function matcherFindings(
  at: BodyPlace,
  matchers: readonly Matcher[],
  combine: "AND" | "OR",
): readonly BodyFinding[] {
  const found = matchers.map((matcher) => findingOf(at.schema, matcher));
  const isSatisfiable = combine === "OR" && found.some((each) => each?.outcome !== "FAIL");
  const reported = isSatisfiable ? found.filter((each) => each?.outcome !== "FAIL") : found;
  const { pointer, section, place } = at;
  return reported.flatMap((each) => (each === undefined ? [] : [{ ...each, pointer, section, place }]));
}

function findingOf(schema: JsonObject, matcher: Matcher): MatcherFinding | undefined {
  if (matcher.type === "unknown") {
    const expected = `a known matching rule. ${advise(matcher.name, matcherNames, "The Pact specification lists all.")}`;
    return { outcome: "WARN", expected, actual: `the matching rule ${JSON.stringify(matcher.name)}` };
  }
  return wrongType(schema, matcher) ?? wrongValue(schema, matcher) ?? wrongLength(schema, matcher);
}

const scalars: readonly string[] = ["string", "integer", "number", "boolean"];

/** JSON types that a matcher accepts; undefined if it accepts any. */
function acceptedTypes(matcher: Matcher): readonly string[] | undefined {
  switch (matcher.type) {
    case "integer":
      return ["integer"];
    case "decimal":
      return ["number"];
    case "number":
      return ["integer", "number"];
    case "boolean":
    case "null":
      return [matcher.type];
    case "date":
    case "datetime":
    case "time":
    case "semver":
      return ["string"];
    case "regex":
    case "include":
      return scalars;
    case "arrayContains":
      return ["array"];
    case "eachKey":
    case "eachValue":
    case "values":
      return ["object"];
    default:
      return undefined;
  }
}

function wrongType(schema: JsonObject, matcher: Matcher): MatcherFinding | undefined {
  const [accepted, types] = [acceptedTypes(matcher), typesOf(schema)];
  if (accepted === undefined || types === undefined) return undefined;
  const isMet = types.some((type) => accepted.includes(type) || (type === "number" && accepted.includes("integer")));
  if (isMet) return undefined;
  return { outcome: "FAIL", expected: `${types.join(" or ")}`, actual: `the matching rule ${matcher.type}` };
}

/** Reports a matcher that accepts none of the values of an enumeration. */
function wrongValue(schema: JsonObject, matcher: Matcher): MatcherFinding | undefined {
  const values = schema["enum"];
  if (!Array.isArray(values)) return undefined;
  const isMet = values.some((value) => isAccepted(matcher, value));
  if (isMet) return undefined;
  const requested = matcher.type === "regex" ? matcher.regex : matcher.type === "include" ? matcher.value : "";
  const expected = `one of ${values.map((value) => formatJson(value)).join(", ")}`;
  return {
    outcome: "FAIL",
    expected,
    actual: `${matcher.type} ${JSON.stringify(requested)}, which matches none of them`,
  };
}

function isAccepted(matcher: Matcher, value: Json): boolean {
  const text = typeof value === "string" ? value : formatJson(value);
  if (matcher.type === "include") return text.includes(matcher.value);
  if (matcher.type !== "regex") return true;
  // Pact uses another dialect of regular expressions. One that JavaScript cannot read is not checked.
  return tryPattern(matcher.regex, text) !== "differs";
}

function wrongLength(schema: JsonObject, matcher: Matcher): MatcherFinding | undefined {
  if (!typesOf(schema)?.includes("array")) return undefined;
  const min = matcher.type === "notEmpty" ? 1 : matcher.type === "type" ? (matcher.min ?? 0) : 0;
  const max = matcher.type === "type" ? matcher.max : undefined;
  const [least, most] = [numberAt(schema, "minItems") ?? 0, numberAt(schema, "maxItems")];
  if (most !== undefined && min > most)
    return { outcome: "FAIL", expected: `at most ${elements(most)}`, actual: `at least ${min}` };
  if (max !== undefined && max < least)
    return { outcome: "FAIL", expected: `at least ${elements(least)}`, actual: `at most ${max}` };
  if (min <= least) return undefined;
  const promised = least === 0 ? "the list can be empty" : `the list can have only ${elements(least)}`;
  return { outcome: "WARN", expected: promised, actual: `at least ${elements(min)}` };
}

function elements(count: number): string {
  return `${count} ${count === 1 ? "element" : "elements"}`;
}

function numberAt(schema: JsonObject, name: string): number | undefined {
  const value = schema[name];
  return typeof value === "number" ? value : undefined;
}
