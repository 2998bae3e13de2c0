import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf } from "../../foundation/json/members.ts";
import type { ValuePath } from "../../scenarios/files/source-file.ts";
import { parseRulePath, weightOf } from "./rule-path.ts";

/** A constraint on a value, as in the file; `match` is its name. */
export type Matcher = JsonObject;

/** The matchers of one path. */
interface MatchingRule {
  readonly path: ValuePath;
  readonly matchers: readonly Matcher[];
}

export interface MatchingRules {
  readonly body: readonly MatchingRule[];
  readonly status: readonly Matcher[];
  /** Matchers of the header Content-Type. */
  readonly contentType: readonly Matcher[];
}

/** Reads the rules of a message: of version 2 with paths relative to the message, or of later versions by category. */
export function readMatchingRules(value: Json | undefined): MatchingRules {
  const rules = objectOf(value);
  if (!Object.keys(rules).some((name) => name.startsWith("$"))) return byCategory(rules);
  const read = readRules(rules, (matcher) => [readMatcher(matcher)]);
  const of = (name: string) =>
    read.flatMap(({ path: [first, ...path], matchers }) => (first === name ? [{ path, matchers }] : []));
  return {
    body: of("body"),
    status: [],
    contentType: [...of("headers"), ...of("header")].flatMap(({ path, matchers }) =>
      isContentType(String(path[0])) ? matchers : [],
    ),
  };
}

function byCategory(rules: JsonObject): MatchingRules {
  const status = objectOf(rules["status"]);
  return {
    body: readRules(objectOf(rules["body"]), readMatchers),
    // With or without a path.
    status: status["matchers"] === undefined ? Object.values(status).flatMap(readMatchers) : readMatchers(status),
    contentType: Object.entries(objectOf(rules["header"])).flatMap(([name, list]) =>
      isContentType(name) ? readMatchers(list) : [],
    ),
  };
}

function isContentType(name: string): boolean {
  return name.toLowerCase() === "content-type";
}

function readRules(rules: JsonObject, read: (value: Json) => readonly Matcher[]): readonly MatchingRule[] {
  return Object.entries(rules).flatMap(([text, value]) => {
    const path = parseRulePath(text);
    return path === undefined ? [] : [{ path, matchers: read(value) }];
  });
}

function readMatchers(list: Json): readonly Matcher[] {
  return isJsonObject(list) ? objectsOf(list["matchers"]).map(readMatcher) : [];
}

/** Reads a matcher. Version 2 allows it to omit `match`; the other members then decide. */
function readMatcher(value: Json): Matcher {
  const matcher = objectOf(value);
  return { match: matcher["regex"] === undefined ? "type" : "regex", ...matcher };
}

const namesOfContainers: ReadonlySet<Json | undefined> = new Set([
  ...["type", "arrayContains", "contentType", "eachKey", "eachValue", "values"],
]);

/** The matchers that apply to a value: those of the weightiest path. Matchers of lists and objects match the values below by type. */
export function matchersFor(rules: readonly MatchingRule[], path: ValuePath): readonly Matcher[] {
  let [best, most]: [MatchingRule | undefined, number] = [undefined, -1];
  for (const rule of rules) {
    const weight = weightOf(rule.path, path) ?? -1;
    if (weight > most && rule.matchers.length > 0) [best, most] = [rule, weight];
  }
  if (best === undefined || best.path.length === path.length) return best?.matchers ?? [];
  return best.matchers.map((matcher) => (namesOfContainers.has(matcher["match"]) ? { match: "type" } : matcher));
}
