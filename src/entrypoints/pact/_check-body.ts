import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { escapeSegment } from "../../foundation/spec/operation.ts";
import { suggestion } from "../../foundation/text/suggestion.ts";
import { matcherFindings } from "./_check-matchers.ts";
import { isRequired, memberSchema, resolved, shownMembers } from "./_schema.ts";
import type { Matcher, MatchingRule } from "./matching-rules.ts";
import { ruleFor } from "./matching-rules.ts";
import type { ValuePath } from "./rule-path.ts";

/** A place of a body that is not as its schema has it. */
export interface BodyFinding {
  readonly outcome: "FAIL" | "WARN";
  readonly contract: string;
  readonly pact: string;
  readonly pointer: string;
  readonly section: string;
  /** Where the value stands below the body. */
  readonly place: ValuePath;
}

/** What a body is walked with. */
export interface BodyWalk {
  readonly description: JsonObject;
  /** A consumer relies on a response; of a request it only says what it sends. */
  readonly side: "request" | "response";
  /** Whether every member of what the schema shows is known, as it is not outside of the spec. */
  readonly isWhole: boolean;
}

/** A value of the body with its schema and the rules that speak of it, which have paths of their own within a variant. */
export interface BodyPlace {
  readonly value: Json;
  readonly schema: JsonObject;
  readonly pointer: string;
  readonly place: ValuePath;
  readonly rules: readonly MatchingRule[];
  readonly rulePath: ValuePath;
  readonly section: string;
  /** Matchers that the value has from `eachValue` above. */
  readonly imposed: readonly Matcher[];
}

/** Compares what a body names with what its schema shows: members, and what the matching rules ask. */
export function checkBody(walk: BodyWalk, at: BodyPlace): readonly BodyFinding[] {
  const rule = ruleFor(at.rules, at.rulePath);
  const matchers = rule === undefined || rule.matchers.length === 0 ? at.imposed : rule.matchers;
  const own = matcherFindings(at, matchers, rule?.combine ?? "AND");
  if (Array.isArray(at.value)) return [...own, ...elementFindings(walk, at, at.value, matchers)];
  return isJsonObject(at.value) ? [...own, ...memberFindings(walk, at, at.value, matchers)] : own;
}

function elementFindings(
  walk: BodyWalk,
  at: BodyPlace,
  value: readonly Json[],
  matchers: readonly Matcher[],
): readonly BodyFinding[] {
  const contains = matchers.find((matcher) => matcher.type === "arrayContains");
  const schema = resolved(walk.description, at.schema["items"]);
  return value.flatMap((element, index) => {
    const inner = placeBelow(at, index, element, schema);
    if (contains === undefined) return checkBody(walk, inner);
    const variant = contains.variants.find((candidate) => candidate.index === index);
    return checkBody(walk, { ...inner, rules: variant?.rules ?? [], rulePath: [] });
  });
}

function memberFindings(
  walk: BodyWalk,
  at: BodyPlace,
  value: JsonObject,
  matchers: readonly Matcher[],
): readonly BodyFinding[] {
  const known = shownMembers(at.schema);
  const areNamesExamples = matchers.some(({ type }) => type === "values" || type === "eachKey" || type === "eachValue");
  const imposed = matchers.flatMap((matcher) => (matcher.type === "eachValue" ? matcher.matchers : []));
  const names = Object.keys(value);
  const unknown = areNamesExamples ? [] : names.filter((name) => known !== undefined && !known.includes(name));
  return [
    ...unknown.map((name) => unknownMember(walk, at, name, known ?? [])),
    ...unpromised(
      walk,
      at,
      names.filter((name) => memberSchema(at.schema, name) !== undefined),
    ),
    ...names
      .filter((name) => !unknown.includes(name))
      .flatMap((name) => {
        const schema = resolved(walk.description, memberSchema(at.schema, name) ?? at.schema["additionalProperties"]);
        return checkBody(walk, { ...placeBelow(at, name, value[name] ?? null, schema), imposed });
      }),
  ];
}

function placeBelow(at: BodyPlace, part: string | number, value: Json, schema: JsonObject): BodyPlace {
  const section = schema["x-section"];
  return {
    value,
    schema,
    pointer: `${at.pointer}/${escapeSegment(String(part))}`,
    place: [...at.place, part],
    rules: at.rules,
    rulePath: [...at.rulePath, part],
    section: typeof section === "string" ? section : at.section,
    imposed: [],
  };
}

/** No provider that keeps the contract sends what it does not have; what nobody reads of a request does no harm. */
function unknownMember(
  { side, isWhole }: BodyWalk,
  at: BodyPlace,
  name: string,
  known: readonly string[],
): BodyFinding {
  const near = suggestion(name, known);
  const place = at.pointer === "" ? `the ${side}` : at.pointer;
  return {
    outcome: side === "response" && isWhole ? "FAIL" : "WARN",
    contract: `${place} has no member but ${known.join(", ")}${near === undefined ? "" : `. Did you mean ${JSON.stringify(near)}?`}`,
    pact: `the member ${JSON.stringify(name)}`,
    pointer: `${at.pointer}/${escapeSegment(name)}`,
    section: at.section,
    place: [...at.place, name],
  };
}

/** Of a one-key wrapper which member is there depends on what is asked. */
function unpromised({ side }: BodyWalk, at: BodyPlace, names: readonly string[]): readonly BodyFinding[] {
  if (side === "request" || at.schema["x-one-key-wrapper"] === true) return [];
  const optional = names.filter((name) => !isRequired(at.schema, name));
  const [first, ...others] = optional;
  if (first === undefined) return [];
  const isShown = at.schema["x-required-not-shown"] !== true;
  const list = optional.join(", ");
  return [
    {
      outcome: "WARN",
      contract: isShown ? `it does not promise ${list}` : `it does not show whether ${list} is always there`,
      pact: others.length === 0 ? `relies on ${first}` : `relies on ${optional.length} such members`,
      pointer: at.pointer,
      section: at.section,
      place: [...at.place, first],
    },
  ];
}
