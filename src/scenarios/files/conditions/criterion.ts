import { jsonpath } from "json-p3";
import { formatJson, type Json, type JsonObject, textOfJson } from "../../../foundation/json/json.ts";
import { textOf } from "../../../foundation/json/members.ts";
import { patternTimeoutMs, withinTime } from "../../../foundation/text/within-time.ts";
import { expressionsIn, holds } from "./condition.ts";
import { criterionType } from "./criterion-type.ts";
import { type ExpressionScope, evaluate, withValues } from "./expression.ts";
import { patternOf } from "./pattern-of.ts";

/** A success criterion that does not hold. */
export interface BrokenCriterion {
  /** The condition with the actual values. */
  readonly reason: string;
  /** JSON pointer into the response; empty for the whole response. */
  readonly pointer: string;
}

/** Why a criterion does not hold; undefined if it holds. Patterns and paths have a limit of time. */
export function brokenCriterion(criterion: JsonObject, scope: ExpressionScope): BrokenCriterion | undefined {
  const type = criterionType(criterion);
  const written = textOf(criterion["condition"]);
  const condition = type === "simple" ? written : withValues(written, scope, textOfJson);
  const names = type === "simple" ? expressionsIn(condition) : [textOf(criterion["context"])];
  const tried =
    type === "simple" ? { value: holds(condition, scope) } : tryPattern(type, names[0] ?? "", condition, scope);
  if (typeof tried === "object" && tried.value) return undefined;
  const actual = names.map((name) => `${name} is ${shown(evaluate(name, scope))}`).join(", ");
  const pointer = names.map(pointerOf).find((found) => found !== "");
  return {
    reason: `${condition} ${typeof tried === "object" ? "does not hold" : failures[tried]}: ${actual}`,
    pointer: pointer ?? "",
  };
}

/** The pointer into the response of an expression; empty for another expression. */
export function pointerOf(expression: string): string {
  return /^\$response\.body#(\/.*)$/.exec(expression)?.[1] ?? "";
}

const failures = {
  "timed-out": `takes longer than ${patternTimeoutMs} ms (use a pattern without repetitions inside repetitions)`,
  "too-deep": "has too many groups inside groups",
} as const;

/** Whether a regular expression matches, or a JSONPath (RFC 9535) selects something from, the value of an expression. */
function tryPattern(
  type: string,
  name: string,
  pattern: string,
  scope: ExpressionScope,
): { readonly value: boolean } | keyof typeof failures {
  const value = evaluate(name, scope);
  if (value === undefined) return { value: false };
  if (type === "regex") return withinTime(() => patternOf(pattern).test(textOfJson(value)));
  const root = JSON.parse(formatJson(value));
  try {
    return withinTime(() => contextsOf(pattern, root).some((context) => jsonpath.query(pattern, context).length > 0));
  } catch (error) {
    // The library parses the patterns of a path by recursion, when it first uses them.
    if (error instanceof RangeError) return "too-deep";
    throw error;
  }
}

/** A path that begins with an index or a filter. */
const ofList = /^\s*\$\s*\[\s*[-?\d]/;
/** What makes a filter hold where a member is absent. */
const ofAbsence = /[!<>]|\w\(|==\s*[@$]/;

/**
 * The values that a path is tried on. An object is wrapped in a list for a path that begins with an index or a filter, as in
 * the examples of Arazzo. RFC 9535 applies a filter to the members of the object: this is tried too, but not with a filter
 * that holds for absent members, which most members of an object are without.
 */
function contextsOf<Value>(pattern: string, value: Value): readonly (Value | readonly Value[])[] {
  if (Array.isArray(value) || !ofList.test(pattern)) return [value];
  return ofAbsence.test(pattern) ? [[value]] : [[value], value];
}

const shownLengthMax = 200;

function shown(value: Json | undefined): string {
  return value === undefined ? "missing" : formatJson(value).slice(0, shownLengthMax);
}
