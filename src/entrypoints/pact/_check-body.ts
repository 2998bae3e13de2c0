import { formatJson, isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { textOf } from "../../foundation/json/members.ts";
import { escapeSegment, type SpecOperation } from "../../foundation/spec/operation.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { listed } from "../../foundation/text/listed.ts";
import { suggestion } from "../../foundation/text/suggestion.ts";
import type { ValuePath } from "../../scenarios/files/source-file.ts";
import { tryPattern } from "./_pattern.ts";
import { isRequired, memberSchema, resolved, schemaAt, shownMembers } from "./_schema.ts";
import type { PactBody } from "./interaction.ts";
import { type Matcher, type MatchingRules, matchersFor } from "./matching-rules.ts";
import type { PactFinding } from "./pact-finding.ts";

/** A JSON body of an interaction, with the schema of the spec that it belongs to. */
interface CheckedBody {
  readonly spec: Spec;
  readonly operation: SpecOperation;
  /** A consumer relies on the members of a response, and only sends those of a request. */
  readonly side: "request" | "response";
  readonly schemaPointer: string;
  readonly body: Extract<PactBody, { type: "json" }>;
  readonly rules: MatchingRules["body"];
}

/** A value with its schema. */
interface BodyPlace {
  readonly value: Json;
  readonly schema: JsonObject;
  /** JSON pointer from the body. */
  readonly pointer: string;
  /** Path from the body. */
  readonly path: ValuePath;
  readonly section: string;
}

/** Compares the members of a body and their matching rules with the schema. */
export function checkBody(checked: CheckedBody): readonly PactFinding[] {
  const { spec, operation, schemaPointer, body } = checked;
  const schema = schemaAt(spec.descriptions[operation.api], schemaPointer);
  const section = textOf(schema["x-section"]) || operation.section;
  return checkPlace(checked, { value: body.value, schema, pointer: "", path: [], section });
}

function checkPlace(checked: CheckedBody, at: BodyPlace): readonly PactFinding[] {
  const { value, schema } = at;
  const matchers = matchersFor(checked.rules, at.path);
  if (Array.isArray(value))
    return [
      ...lengthFindings(checked, at, matchers),
      ...value.flatMap((element, index) =>
        checkPlace(checked, placeBelow(checked, at, index, element, schema["items"])),
      ),
    ];
  return isJsonObject(value) ? memberFindings(checked, at, value, matchers) : valueFindings(checked, at, matchers);
}

/** Warns of a list that the consumer relies on to have elements, and the spec does not. */
function lengthFindings(checked: CheckedBody, at: BodyPlace, matchers: readonly Matcher[]): readonly PactFinding[] {
  const min = Math.max(0, ...matchers.map(({ min }) => (typeof min === "number" ? min : 0)));
  const least = Number(at.schema["minItems"] ?? 0);
  if (min <= least) return [];
  const expected = least === 0 ? "the list can be empty" : `the list can have only ${elements(least)}`;
  return [finding(checked, at, { outcome: "WARN", expected, actual: `at least ${elements(min)}` })];
}

function elements(count: number): string {
  return `${count} ${count === 1 ? "element" : "elements"}`;
}

/** Reports patterns and substrings that no value of an enumeration has. */
function valueFindings(checked: CheckedBody, at: BodyPlace, matchers: readonly Matcher[]): readonly PactFinding[] {
  const [values, [first]] = [at.schema["enum"], matchers];
  if (!Array.isArray(values) || first === undefined) return [];
  if (values.some((value) => matchers.some((matcher) => isAccepted(matcher, value)))) return [];
  const { match, regex, value } = first;
  const expected = `one of ${values.map((each) => formatJson(each)).join(", ")}`;
  const actual = `${textOf(match)} ${formatJson(regex ?? value ?? "")}, which matches none of them`;
  return [finding(checked, at, { outcome: "FAIL", expected, actual })];
}

function isAccepted({ match, regex, value: part }: Matcher, value: Json): boolean {
  const text = typeof value === "string" ? value : formatJson(value);
  if (match === "include") return text.includes(textOf(part));
  // Pact uses another dialect of regular expressions. One that JavaScript cannot read is not checked.
  return match !== "regex" || tryPattern(textOf(regex), text) !== "differs";
}

function memberFindings(
  checked: CheckedBody,
  at: BodyPlace,
  value: JsonObject,
  matchers: readonly Matcher[],
): readonly PactFinding[] {
  const areNamesExamples = matchers.some(
    ({ match }) => match === "values" || match === "eachKey" || match === "eachValue",
  );
  const known = areNamesExamples ? undefined : shownMembers(at.schema);
  const names = Object.keys(value);
  const unknown = new Set(names.filter((name) => known?.includes(name) === false));
  return [
    ...[...unknown].map((name) => unknownMember(checked, at, name, known ?? [])),
    ...optionalMembers(checked, at, names),
    ...names
      .filter((name) => !unknown.has(name))
      .flatMap((name) => {
        const schema = memberSchema(at.schema, name) ?? at.schema["additionalProperties"];
        return checkPlace(checked, placeBelow(checked, at, name, value[name] ?? null, schema));
      }),
  ];
}

function placeBelow(
  { spec, operation }: CheckedBody,
  at: BodyPlace,
  part: string | number,
  value: Json,
  own: Json | undefined,
): BodyPlace {
  const schema = resolved(spec.descriptions[operation.api], own);
  return {
    value,
    schema,
    pointer: `${at.pointer}/${escapeSegment(String(part))}`,
    path: [...at.path, part],
    section: textOf(schema["x-section"]) || at.section,
  };
}

function finding(
  { side, body }: CheckedBody,
  { pointer, section, path }: BodyPlace,
  found: Pick<PactFinding, "outcome" | "expected" | "actual">,
): PactFinding {
  return { ...found, at: side, pointer, section, path: [...body.path, ...path] };
}

/** Reports a member that the schema lacks. In a response no conforming provider sends it; in a request it is ignored. */
function unknownMember(checked: CheckedBody, at: BodyPlace, name: string, known: readonly string[]): PactFinding {
  const { side, operation } = checked;
  const near = suggestion(name, known);
  const place = at.pointer === "" ? `the ${side}` : at.pointer;
  return finding(checked, placeBelow(checked, at, name, null, undefined), {
    // Schemas of additional operations do not list all members.
    outcome: side === "response" && !operation.isAdditional ? "FAIL" : "WARN",
    expected: `${place} has only the members ${listed(known)}${near === undefined ? "" : `. Did you mean ${JSON.stringify(near)}?`}`,
    actual: `the member ${JSON.stringify(name)}`,
  });
}

/** Reports members of a response that the schema does not require. In a one-key wrapper, each member is optional. */
function optionalMembers(checked: CheckedBody, at: BodyPlace, names: readonly string[]): readonly PactFinding[] {
  const { schema } = at;
  if (checked.side === "request" || schema["x-one-key-wrapper"] === true) return [];
  const optional = names.filter((name) => memberSchema(schema, name) !== undefined && !isRequired(schema, name));
  const [first, ...others] = optional;
  if (first === undefined) return [];
  const list = listed(optional);
  const expected =
    schema["x-required-not-shown"] === true
      ? `the spec does not say whether ${list} ${others.length === 0 ? "is" : "are"} required`
      : `${list} ${others.length === 0 ? "is" : "are"} optional`;
  const actual = others.length === 0 ? `relies on ${first}` : `relies on ${optional.length} of these members`;
  return [finding(checked, { ...at, path: [...at.path, first] }, { outcome: "WARN", expected, actual })];
}
