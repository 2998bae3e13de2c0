import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { objectOf, textOf } from "../../foundation/json/members.ts";
import { type PathToken, parseRulePath, type ValuePath, weightOf } from "./rule-path.ts";

/** A constraint on a value. */
export type Matcher =
  | { readonly type: "boolean" | "decimal" | "equality" | "integer" | "notEmpty" | "null" | "number" | "semver" }
  | { readonly type: "type"; readonly min?: number; readonly max?: number }
  | { readonly type: "regex"; readonly regex: string }
  | { readonly type: "include" | "contentType"; readonly value: string }
  | { readonly type: "date" | "datetime" | "time"; readonly format: string }
  | { readonly type: "statusCode"; readonly status: string | readonly number[] }
  | { readonly type: "arrayContains"; readonly variants: readonly Variant[] }
  | { readonly type: "eachKey" | "eachValue"; readonly matchers: readonly Matcher[] }
  | { readonly type: "values" }
  | { readonly type: "unknown"; readonly name: string };

/** An element that a list must contain, with its own rules. */
interface Variant {
  readonly index: number;
  readonly rules: readonly MatchingRule[];
}

/** The matchers of one path. `path` is undefined if it is invalid. */
export interface MatchingRule {
  readonly text: string;
  readonly path: readonly PathToken[] | undefined;
  readonly combine: "AND" | "OR";
  readonly matchers: readonly Matcher[];
  /** Path of the rule in the file, relative to the message. */
  readonly place: ValuePath;
}

export interface MatchingRules {
  readonly body: readonly MatchingRule[];
  readonly status: readonly Matcher[];
  /** Matchers by header name in lower case. */
  readonly headers: ReadonlyMap<string, readonly Matcher[]>;
}

export const matcherNames: readonly string[] = [
  "arrayContains",
  "boolean",
  "contentType",
  "date",
  "datetime",
  "decimal",
  "eachKey",
  "eachValue",
  "equality",
  "include",
  "integer",
  "notEmpty",
  "null",
  "number",
  "regex",
  "semver",
  "statusCode",
  "time",
  "timestamp",
  "type",
  "values",
];

/** Reads the rules of a message: of version 2 with paths relative to the message, or of later versions by category. */
export function readMatchingRules(value: Json | undefined): MatchingRules {
  if (!isJsonObject(value)) return { body: [], status: [], headers: new Map() };
  return Object.keys(value).some((name) => name.startsWith("$")) ? ofVersion2(value) : byCategory(value);
}

function ofVersion2(rules: JsonObject): MatchingRules {
  const read = Object.keys(rules).map((text) => ({
    text,
    path: parseRulePath(text),
    combine: "AND" as const,
    matchers: [readMatcher(rules[text])],
    place: ["matchingRules", text],
  }));
  const of = (name: string) =>
    read.flatMap((rule) => {
      const [first, ...rest] = rule.path ?? [];
      return first?.type === "member" && first.name === name ? [{ ...rule, path: rest }] : [];
    });
  const unread = read.filter(({ path }) => path === undefined);
  const headers = [...of("headers"), ...of("header")].flatMap(({ path, matchers }) =>
    path[0]?.type === "member" ? [[path[0].name.toLowerCase(), matchers] as const] : [],
  );
  return { body: [...of("body"), ...unread], status: [], headers: new Map(headers) };
}

function byCategory(rules: JsonObject): MatchingRules {
  const headers = Object.entries(objectOf(rules["header"])).map(
    ([name, list]) => [name.toLowerCase(), readMatchers(list)] as const,
  );
  return {
    body: readRules(objectOf(rules["body"]), ["matchingRules", "body"]),
    status: statusMatchers(objectOf(rules["status"])),
    headers: new Map(headers),
  };
}

/** Reads the matchers of the status, with or without a path. */
function statusMatchers(value: JsonObject): readonly Matcher[] {
  return value["matchers"] === undefined ? Object.values(value).flatMap(readMatchers) : readMatchers(value);
}

function readRules(rules: JsonObject, place: ValuePath): readonly MatchingRule[] {
  return Object.entries(rules).map(([text, list]) => ({
    text,
    path: parseRulePath(text),
    combine: isJsonObject(list) && list["combine"] === "OR" ? "OR" : "AND",
    matchers: readMatchers(list),
    place: [...place, text],
  }));
}

function readMatchers(list: Json | undefined): readonly Matcher[] {
  const matchers = isJsonObject(list) ? list["matchers"] : undefined;
  return Array.isArray(matchers) ? matchers.map(readMatcher) : [];
}

/** Reads a matcher. Version 2 allows it to omit `match`; the other members then decide. */
function readMatcher(value: Json | undefined): Matcher {
  const rule = objectOf(value);
  const implied = rule["regex"] !== undefined ? "regex" : "type";
  const name = typeof rule["match"] === "string" ? rule["match"] : implied;
  switch (name) {
    case "boolean":
    case "decimal":
    case "equality":
    case "integer":
    case "notEmpty":
    case "null":
    case "number":
    case "semver":
    case "values":
      return { type: name };
    case "type":
      return { type: "type", ...countOf(rule, "min"), ...countOf(rule, "max") };
    case "regex":
      return { type: "regex", regex: textOf(rule["regex"]) };
    case "include":
    case "contentType":
      return { type: name, value: textOf(rule["value"]) };
    case "date":
    case "time":
    case "datetime":
    case "timestamp":
      return {
        type: name === "timestamp" ? "datetime" : name,
        format: textOf(rule["format"]) || textOf(rule[name]),
      };
    case "statusCode":
      return { type: "statusCode", status: statusOf(rule["status"]) };
    case "arrayContains":
      return { type: "arrayContains", variants: objectsAt(rule, "variants").map(readVariant) };
    case "eachKey":
    case "eachValue":
      return { type: name, matchers: objectsAt(rule, "rules").map(readMatcher) };
    default:
      return { type: "unknown", name };
  }
}

function readVariant(variant: JsonObject): Variant {
  const { index } = variant;
  return { index: typeof index === "number" ? index : 0, rules: readRules(objectOf(variant["rules"]), []) };
}

function statusOf(value: Json | undefined): string | readonly number[] {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.filter((status) => typeof status === "number") : [];
}

function countOf(rule: JsonObject, name: "min" | "max"): { readonly min?: number; readonly max?: number } {
  const count = rule[name];
  return typeof count === "number" ? { [name]: count } : {};
}

function objectsAt(value: JsonObject, name: string): readonly JsonObject[] {
  const list = value[name];
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** The rule that applies to a value, by Pact's weights. A rule also applies to values below its path. */
export function ruleFor(rules: readonly MatchingRule[], path: ValuePath): MatchingRule | undefined {
  let best: { readonly rule: MatchingRule; readonly weight: number } | undefined;
  for (const rule of rules) {
    if (rule.path === undefined) continue;
    const weight = weightOf(rule.path, path);
    if (weight <= (best?.weight ?? 0)) continue;
    const isAbove = rule.path.length < path.length;
    const matchers = isAbove ? rule.matchers.flatMap(inheritedMatchers) : rule.matchers;
    if (matchers.length > 0) best = { rule: { ...rule, matchers }, weight };
  }
  return best?.rule;
}

/** The part of a matcher that also applies to values below. */
function inheritedMatchers(matcher: Matcher): readonly Matcher[] {
  switch (matcher.type) {
    case "type":
      return [{ type: "type" }];
    case "arrayContains":
    case "contentType":
    case "eachKey":
    case "eachValue":
    case "values":
      return [];
    default:
      return [matcher];
  }
}
