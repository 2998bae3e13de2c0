import { checkExchange } from "../../checker/engine/checker.ts";
import type { Level, Violation } from "../../checker/engine/exchange-verdict.ts";
import type { RuleId } from "../../checker/rules/generated/rule-ids.ts";
import { mediaType } from "../../foundation/http/header.ts";
import type { Json } from "../../foundation/json/json.ts";
import { listOf, textOf } from "../../foundation/json/members.ts";
import {
  declaredResponse,
  escapeSegment,
  type SpecOperation,
  segmentsOf,
  valueAt,
} from "../../foundation/spec/operation.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { checkBody } from "./_check-body.ts";
import { exchangeOf, typeOfBody } from "./_exchange-of.ts";
import { tryPattern } from "./_pattern.ts";
import type { Interaction } from "./interaction.ts";
import { type Matcher, matchersFor } from "./matching-rules.ts";
import type { PactFinding } from "./pact-finding.ts";

/** Conformance rules whose pointers lead into the request. */
const rulesOfRequest = ruleSet("invalid-request-refused", "malformed-request-refused", "parameters-refused");
const rulesOfHead = ruleSet("documented-status", "media-type");
const rulesOfBody = ruleSet(
  ...(["body-schema", "contract-ids-are-hex", "debug-members-excluded", "error-codes-agree"] as const),
  ...(["ledger-400-is-text", "ledger-error-shape", "ledger-strings", "non-empty-lists"] as const),
  ...(["registry-error-shape", "synchronizer-ids", "template-ids", "transfer-kind"] as const),
);

function ruleSet(...ids: readonly RuleId[]): ReadonlySet<string> {
  return new Set(ids);
}

/** Compares the response of an interaction with the spec: parts that no conforming provider sends fail, optional parts warn. */
export function checkResponse(
  interaction: Interaction,
  spec: Spec,
  { operation, level }: { readonly operation: SpecOperation; readonly level: Level },
): readonly PactFinding[] {
  const { response } = interaction;
  const status = expectedStatus(interaction, operation);
  const declared = declaredResponse(operation, status);
  const exchange = exchangeOf(interaction, status, expectedType(interaction, declared?.mediaType));
  const verdict = checkExchange(spec, level, exchange);
  const violations = verdict.type === "checked" ? verdict.results.flatMap((result) => result.violations) : [];
  const checked = violations
    .filter((violation) => isReliedOn(interaction, violation))
    .map((violation) => findingOf(interaction, violation));
  const { body, rules } = response;
  const schemaPointer = declared?.mediaType === "application/json" ? declared.schema : undefined;
  const bodyFindings =
    body?.type === "json" && schemaPointer !== undefined
      ? checkBody({ spec, operation, side: "response", schemaPointer, body, rules: rules.body })
      : [];
  // A member that a closed schema refuses is reported once.
  const isDuplicate = ({ pointer }: PactFinding) =>
    bodyFindings.some((finding) => finding.pointer === pointer && finding.outcome === "FAIL");
  return [
    ...checked.filter((finding) => finding.pointer === "" || !isDuplicate(finding)),
    ...bodyFindings,
    ...headerFindings(interaction, operation),
  ];
}

/** Status to check: the example, or for a class of statuses a documented one if the example is not documented. */
function expectedStatus({ response }: Interaction, { responses }: SpecOperation): number {
  const matcher = response.rules.status.find(({ match }) => match === "statusCode");
  if (matcher === undefined || responses[String(response.status)] !== undefined) return response.status;
  if (response.status >= 400 && responses["default"] !== undefined) return response.status;
  const statuses = matcher["status"];
  const [from, to] = classes.get(textOf(statuses)) ?? [0, 0];
  const documented = [...Object.keys(responses).map(Number), ...(responses["default"] === undefined ? [] : [404, 500])];
  const isMatched = (status: number) => (from <= status && status < to) || listOf(statuses).includes(status);
  return documented.find(isMatched) ?? response.status;
}

/** Pact's classes of statuses: the first status, and the first after the class. */
const classes: ReadonlyMap<string, readonly [number, number]> = new Map([
  ["info", [100, 200]],
  ["success", [200, 300]],
  ["redirect", [300, 400]],
  ["clientError", [400, 500]],
  ["serverError", [500, 600]],
  ["nonError", [100, 400]],
  ["error", [400, 600]],
]);

/** Media type to check: the one of the spec if the consumer's matchers accept it, else the one of the example. */
function expectedType({ response }: Interaction, declared: string | undefined): string | undefined {
  const matchers = response.rules.contentType;
  if (matchers.length > 0 && declared !== undefined && matchers.every((matcher) => accepts(matcher, declared)))
    return declared;
  return mediaType(response.headers) ?? typeOfBody(response.body) ?? declared;
}

function accepts({ match, regex, value }: Matcher, type: string): boolean {
  const spellings = [
    type,
    ...["; ", ";"].flatMap((mark) => ["utf-8", "UTF-8"].map((set) => `${type}${mark}charset=${set}`)),
  ];
  if (match === "include") return type.includes(textOf(value));
  if (match === "regex") return spellings.some((text) => tryPattern(textOf(regex), text) === "matches");
  return match !== "equality";
}

/** Whether a violation concerns a part that the consumer relies on. Omitted members and mere examples do not count. */
function isReliedOn({ response }: Interaction, { rule, pointer, keyword }: Violation): boolean {
  const { body } = response;
  if (rulesOfRequest.has(rule) || rule === "documented-status") return true;
  // The consumer relies neither on the body nor on its type.
  if (body === undefined) return rulesOfHead.has(rule) && mediaType(response.headers) !== undefined;
  if (rulesOfHead.has(rule)) return true;
  if (!rulesOfBody.has(rule)) return false;
  if (body.type !== "json") return pointer === "" && !(rule === "ledger-400-is-text" && body.type === "bytes");
  if (keyword === "minProperties") return false;
  // The pointer of a missing member leads to nothing.
  const path = pathOf(body.value, pointer);
  if (path === undefined) return false;
  const [match, ...others] = matchersFor(response.rules.body, path).map((matcher) => matcher["match"]);
  if (match === undefined || (others.length === 0 && (match === "equality" || match === "null"))) return true;
  // One of several matchers can accept another type than that of the example; these do it alone.
  return keyword === "type" && others.length === 0 && match !== "regex" && match !== "include" && match !== "notEmpty";
}

/** Members and indexes of a JSON pointer; undefined if it leads to nothing. */
function pathOf(root: Json, pointer: string): readonly (string | number)[] | undefined {
  const path: (string | number)[] = [];
  let parent = "";
  for (const segment of segmentsOf(pointer)) {
    path.push(Array.isArray(valueAt(root, parent)) ? Number(segment) : segment);
    parent += `/${escapeSegment(segment)}`;
  }
  return valueAt(root, pointer) === undefined ? undefined : path;
}

function findingOf({ request, response }: Interaction, violation: Violation): PactFinding {
  const { rule, section, outcome, expected, actual, pointer, divergence } = violation;
  const at = rulesOfRequest.has(rule) ? "request" : "response";
  const message = at === "request" ? request : response;
  const inBody = pointer === "" || message.body?.type !== "json" ? undefined : pathOf(message.body.value, pointer);
  const head = rule === "documented-status" ? "status" : rulesOfHead.has(rule) ? "headers" : "body";
  const path = inBody === undefined ? [...message.path, head] : [...(message.body?.path ?? []), ...inBody];
  return {
    outcome,
    at,
    pointer,
    expected,
    actual,
    section,
    rule,
    divergence,
    path,
  };
}

/** Warns of response headers: the spec describes only Content-Type. */
function headerFindings({ response }: Interaction, { section }: SpecOperation): readonly PactFinding[] {
  return response.headers
    .filter(([name]) => name.toLowerCase() !== "content-type")
    .map(([name]) => ({
      outcome: "WARN" as const,
      at: "response" as const,
      pointer: "",
      expected: "only the header Content-Type",
      actual: `relies on ${name}`,
      section,
      path: [...response.path, "headers", name],
    }));
}
