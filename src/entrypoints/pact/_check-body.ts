import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { escapeSegment } from "../../foundation/spec/operation.ts";
import { listed } from "../../foundation/text/listed.ts";
import { suggestion } from "../../foundation/text/suggestion.ts";
import type { BodyFinding, BodyPlace } from "./_body-place.ts";
import { matcherFindings } from "./_check-matchers.ts";
import { isRequired, memberSchema, resolved, shownMembers } from "./_schema.ts";
import type { Matcher } from "./matching-rules.ts";
import { ruleFor } from "./matching-rules.ts";

/** Options of the check of a body. */
export interface BodyCheckOptions {
  readonly description: JsonObject;
  /** A consumer relies on the members of a response, and only sends those of a request. */
  readonly side: "request" | "response";
  /** Whether the schema lists all members. Schemas of additional operations do not. */
  readonly isComplete: boolean;
}

/** Compares the members of a body and their matching rules with the schema. */
export function checkBody(options: BodyCheckOptions, at: BodyPlace): readonly BodyFinding[] {
  const rule = ruleFor(at.rules, at.rulePath);
  const matchers = rule === undefined || rule.matchers.length === 0 ? at.imposed : rule.matchers;
  const own = matcherFindings(at, matchers, rule?.combine ?? "AND");
  if (Array.isArray(at.value)) return [...own, ...elementFindings(options, at, at.value, matchers)];
  return isJsonObject(at.value) ? [...own, ...memberFindings(options, at, at.value, matchers)] : own;
}

function elementFindings(
  options: BodyCheckOptions,
  at: BodyPlace,
  value: readonly Json[],
  matchers: readonly Matcher[],
): readonly BodyFinding[] {
  const contains = matchers.find((matcher) => matcher.type === "arrayContains");
  const schema = resolved(options.description, at.schema["items"]);
  return value.flatMap((element, index) => {
    const inner = placeBelow(at, index, element, schema);
    if (contains === undefined) return checkBody(options, inner);
    const variant = contains.variants.find((candidate) => candidate.index === index);
    return checkBody(options, { ...inner, rules: variant?.rules ?? [], rulePath: [] });
  });
}

function memberFindings(
  options: BodyCheckOptions,
  at: BodyPlace,
  value: JsonObject,
  matchers: readonly Matcher[],
): readonly BodyFinding[] {
  const known = shownMembers(at.schema);
  const areNamesExamples = matchers.some(({ type }) => type === "values" || type === "eachKey" || type === "eachValue");
  const imposed = matchers.flatMap((matcher) => (matcher.type === "eachValue" ? matcher.matchers : []));
  const names = Object.keys(value);
  const unknown = new Set(known === undefined || areNamesExamples ? [] : names.filter((name) => !known.includes(name)));
  return [
    ...[...unknown].map((name) => unknownMember(options, at, name, known ?? [])),
    ...optionalMembers(
      options,
      at,
      names.filter((name) => memberSchema(at.schema, name) !== undefined),
    ),
    ...names
      .filter((name) => !unknown.has(name))
      .flatMap((name) => {
        const schema = resolved(
          options.description,
          memberSchema(at.schema, name) ?? at.schema["additionalProperties"],
        );
        return checkBody(options, { ...placeBelow(at, name, value[name] ?? null, schema), imposed });
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

/** Reports a member that the schema lacks. In a response no conforming provider sends it; in a request it is ignored. */
function unknownMember(
  { side, isComplete }: BodyCheckOptions,
  at: BodyPlace,
  name: string,
  known: readonly string[],
): BodyFinding {
  const near = suggestion(name, known);
  const place = at.pointer === "" ? `the ${side}` : at.pointer;
  return {
    outcome: side === "response" && isComplete ? "FAIL" : "WARN",
    expected: `${place} has only the members ${listed(known)}${near === undefined ? "" : `. Did you mean ${JSON.stringify(near)}?`}`,
    actual: `the member ${JSON.stringify(name)}`,
    pointer: `${at.pointer}/${escapeSegment(name)}`,
    section: at.section,
    place: [...at.place, name],
  };
}

/** Reports members of a response that the schema does not require. In a one-key wrapper, each member is optional. */
function optionalMembers({ side }: BodyCheckOptions, at: BodyPlace, names: readonly string[]): readonly BodyFinding[] {
  if (side === "request" || at.schema["x-one-key-wrapper"] === true) return [];
  const optional = names.filter((name) => !isRequired(at.schema, name));
  const [first, ...others] = optional;
  if (first === undefined) return [];
  const isShown = at.schema["x-required-not-shown"] !== true;
  const list = listed(optional);
  return [
    {
      outcome: "WARN",
      expected: isShown
        ? `${list} ${optional.length === 1 ? "is" : "are"} optional`
        : `the spec does not say whether ${list} ${optional.length === 1 ? "is" : "are"} required`,
      actual: others.length === 0 ? `relies on ${first}` : `relies on ${optional.length} of these members`,
      pointer: at.pointer,
      section: at.section,
      place: [...at.place, first],
    },
  ];
}
