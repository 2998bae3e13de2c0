import { formatJson, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import type { BodyFinding, BodyPlace } from "./_check-body.ts";
import { tryPattern } from "./_pattern.ts";
import { typesOf } from "./_schema.ts";
import { type Matcher, matcherNames } from "./matching-rules.ts";

type Found = Pick<BodyFinding, "outcome" | "contract" | "pact">;

/** What the matchers of a value ask that its schema does not have. Of alternatives one that fits is enough. */
export function matcherFindings(
  at: BodyPlace,
  matchers: readonly Matcher[],
  combine: "AND" | "OR",
): readonly BodyFinding[] {
  const found = matchers.map((matcher) => findingOf(at.schema, matcher));
  const isSatisfiable = combine === "OR" && found.some((each) => each?.outcome !== "FAIL");
  const told = isSatisfiable ? found.filter((each) => each?.outcome !== "FAIL") : found;
  const { pointer, section, place } = at;
  return told.flatMap((each) => (each === undefined ? [] : [{ ...each, pointer, section, place }]));
}

function findingOf(schema: JsonObject, matcher: Matcher): Found | undefined {
  if (matcher.type === "unknown") {
    const contract = `Pact has no matching rule of that name. ${advise(matcher.name, matcherNames)}`;
    return { outcome: "WARN", contract, pact: `the matching rule ${JSON.stringify(matcher.name)}` };
  }
  return wrongType(schema, matcher) ?? wrongValue(schema, matcher) ?? wrongLength(schema, matcher);
}

const scalars: readonly string[] = ["string", "integer", "number", "boolean"];

/** The JSON types of what a matcher takes; undefined where it takes any. */
function takenBy(matcher: Matcher): readonly string[] | undefined {
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

function wrongType(schema: JsonObject, matcher: Matcher): Found | undefined {
  const [taken, types] = [takenBy(matcher), typesOf(schema)];
  if (taken === undefined || types === undefined) return undefined;
  const isMet = types.some((type) => taken.includes(type) || (type === "number" && taken.includes("integer")));
  if (isMet) return undefined;
  return { outcome: "FAIL", contract: `it is ${types.join(" or ")}`, pact: `the matching rule ${matcher.type}` };
}

/** A rule that none of the values of an enumeration satisfies. */
function wrongValue(schema: JsonObject, matcher: Matcher): Found | undefined {
  const values = schema["enum"];
  if (!Array.isArray(values)) return undefined;
  const isMet = values.some((value) => isTaken(matcher, value));
  if (isMet) return undefined;
  const requested = matcher.type === "regex" ? matcher.regex : matcher.type === "include" ? matcher.value : "";
  const contract = `it is one of ${values.map((value) => formatJson(value)).join(", ")}`;
  return {
    outcome: "FAIL",
    contract,
    pact: `${matcher.type} ${JSON.stringify(requested)}, which none of them satisfies`,
  };
}

function isTaken(matcher: Matcher, value: Json): boolean {
  const text = typeof value === "string" ? value : formatJson(value);
  if (matcher.type === "include") return text.includes(matcher.value);
  if (matcher.type !== "regex") return true;
  // Pact's own expressions are of another dialect, and one that cannot be read here says nothing.
  return tryPattern(matcher.regex, text) !== "differs";
}

function wrongLength(schema: JsonObject, matcher: Matcher): Found | undefined {
  if (!typesOf(schema)?.includes("array")) return undefined;
  const min = matcher.type === "notEmpty" ? 1 : matcher.type === "type" ? (matcher.min ?? 0) : 0;
  const max = matcher.type === "type" ? matcher.max : undefined;
  const [least, most] = [numberAt(schema, "minItems") ?? 0, numberAt(schema, "maxItems")];
  if (most !== undefined && min > most)
    return { outcome: "FAIL", contract: `it has at most ${elements(most)}`, pact: `at least ${min}` };
  if (max !== undefined && max < least)
    return { outcome: "FAIL", contract: `it has at least ${elements(least)}`, pact: `at most ${max}` };
  if (min <= least) return undefined;
  const promised = least === 0 ? "it may be empty" : `it may have no more than ${elements(least)}`;
  return { outcome: "WARN", contract: promised, pact: `at least ${elements(min)}` };
}

function elements(count: number): string {
  return `${count} ${count === 1 ? "element" : "elements"}`;
}

function numberAt(schema: JsonObject, name: string): number | undefined {
  const value = schema[name];
  return typeof value === "number" ? value : undefined;
}
