import { checkExchanges, type Level, type Violation } from "../../checker/engine/checker.ts";
import { contractIdsAreHex } from "../../checker/rules/registry/contract-ids-are-hex.ts";
import { debugMembersExcluded } from "../../checker/rules/registry/debug-members-excluded.ts";
import { registryErrorShape } from "../../checker/rules/registry/registry-error-shape.ts";
import { synchronizerIds } from "../../checker/rules/registry/synchronizer-ids.ts";
import { templateIds } from "../../checker/rules/registry/template-ids.ts";
import { transferKind } from "../../checker/rules/registry/transfer-kind.ts";
import { ledgerStrings } from "../../checker/rules/submissions/ledger-strings.ts";
import { bodySchema } from "../../checker/rules/transport/body-schema.ts";
import { documentedStatus } from "../../checker/rules/transport/documented-status.ts";
import { errorCodesAgree } from "../../checker/rules/transport/error-codes-agree.ts";
import { invalidRequestRefused } from "../../checker/rules/transport/invalid-request-refused.ts";
import { ledger400IsText } from "../../checker/rules/transport/ledger-400-is-text.ts";
import { ledgerErrorShape } from "../../checker/rules/transport/ledger-error-shape.ts";
import { malformedRequestRefused } from "../../checker/rules/transport/malformed-request-refused.ts";
import { mediaType as mediaTypeRule } from "../../checker/rules/transport/media-type.ts";
import { nonEmptyLists } from "../../checker/rules/transport/non-empty-lists.ts";
import { parametersRefused } from "../../checker/rules/transport/parameters-refused.ts";
import { mediaType } from "../../foundation/http/header.ts";
import type { Json } from "../../foundation/json/json.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import { valueAt } from "../../foundation/spec/operation.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { checkBody } from "./_check-body.ts";
import { danglingRules } from "./_dangling-rules.ts";
import { exchangeOf, typeOfBody } from "./_exchange-of.ts";
import { tryPattern } from "./_pattern.ts";
import { schemaAt } from "./_schema.ts";
import type { PactFinding } from "./check-interaction.ts";
import type { Interaction } from "./interaction.ts";
import { type Matcher, ruleFor } from "./matching-rules.ts";

/** The checker's rules that a part of a response can break; the pointers of these lead into the request. */
const rulesOfRequest: ReadonlySet<string> = new Set([
  invalidRequestRefused.id,
  malformedRequestRefused.id,
  parametersRefused.id,
]);
const rulesOfHead: ReadonlySet<string> = new Set([documentedStatus.id, mediaTypeRule.id]);
const rulesOfBody: ReadonlySet<string> = new Set([
  bodySchema.id,
  contractIdsAreHex.id,
  debugMembersExcluded.id,
  errorCodesAgree.id,
  ledger400IsText.id,
  ledgerErrorShape.id,
  ledgerStrings.id,
  nonEmptyLists.id,
  registryErrorShape.id,
  synchronizerIds.id,
  templateIds.id,
  transferKind.id,
]);

interface Measure {
  readonly operation: SpecOperation;
  readonly level: Level;
}

/** What of a response that the consumer expects no provider that keeps the contract gives, or none promises. */
export function checkResponse(
  interaction: Interaction,
  spec: Spec,
  { operation, level }: Measure,
): readonly PactFinding[] {
  const { response } = interaction;
  const status = expectedStatus(interaction, operation);
  const declared = operation.responses[String(status)] ?? (status >= 400 ? operation.responses["default"] : undefined);
  const exchange = exchangeOf(interaction, status, expectedType(interaction, declared?.mediaType));
  const verdict = checkExchanges(spec, level, exchange);
  const violations = verdict.type === "checked" ? verdict.results.flatMap((result) => result.violations) : [];
  const checked = violations
    .filter((violation) => isMeant(interaction, violation))
    .map((violation) => told(interaction, violation));
  const { body } = response;
  const isOfSchema = body?.type === "json" && declared?.mediaType === "application/json";
  if (!isOfSchema) return [...checked, ...headerFindings(interaction, operation), ...danglingRules(interaction)];
  const description = spec.descriptions[operation.api];
  const schema = schemaAt(description, declared.schema);
  const own = schema["x-section"];
  const section = typeof own === "string" ? own : operation.section;
  const walked = checkBody(
    { description, side: "response", isWhole: !operation.isAdditional },
    {
      value: body.value,
      schema,
      pointer: "",
      place: [],
      rules: response.rules.body,
      rulePath: [],
      section,
      imposed: [],
    },
  ).map(({ place, ...finding }) => ({
    ...finding,
    at: "response" as const,
    rule: undefined,
    divergence: undefined,
    path: [...body.path, ...place],
  }));
  // A member that a closed schema refuses is told once.
  const isTwice = ({ pointer }: PactFinding) =>
    walked.some((finding) => finding.pointer === pointer && finding.outcome === "FAIL");
  return [
    ...checked.filter((finding) => finding.pointer === "" || !isTwice(finding)),
    ...walked,
    ...headerFindings(interaction, operation),
    ...danglingRules(interaction),
  ];
}

/** Of a class of statuses the example, or one that the contract has. */
function expectedStatus({ response }: Interaction, { responses }: SpecOperation): number {
  const matcher = response.rules.status.find((candidate) => candidate.type === "statusCode");
  if (matcher === undefined || responses[String(response.status)] !== undefined) return response.status;
  const documented = [...Object.keys(responses).map(Number), ...(responses["default"] === undefined ? [] : [404, 500])];
  const isMeantBy = (status: number) =>
    typeof matcher.status === "string" ? isOfClass(matcher.status, status) : matcher.status.includes(status);
  if (response.status >= 400 && responses["default"] !== undefined) return response.status;
  return documented.find(isMeantBy) ?? response.status;
}

function isOfClass(name: string, status: number): boolean {
  switch (name) {
    case "info":
      return status < 200;
    case "success":
      return status >= 200 && status < 300;
    case "redirect":
      return status >= 300 && status < 400;
    case "clientError":
      return status >= 400 && status < 500;
    case "serverError":
      return status >= 500;
    case "nonError":
      return status < 400;
    case "error":
      return status >= 400;
    default:
      return false;
  }
}

/** The media type that the consumer expects: what the contract has wherever the consumer takes it. */
function expectedType({ response }: Interaction, declared: string | undefined): string | undefined {
  const matchers = response.rules.headers.get("content-type") ?? [];
  const isFree = matchers.length > 0 && declared !== undefined && matchers.every((matcher) => takes(matcher, declared));
  if (isFree) return declared;
  return mediaType(response.headers) ?? typeOfBody(response.body) ?? declared;
}

function takes(matcher: Matcher, type: string): boolean {
  const written = [
    type,
    ...["utf-8", "UTF-8"].flatMap((charset) => [`${type}; charset=${charset}`, `${type};charset=${charset}`]),
  ];
  switch (matcher.type) {
    case "regex":
      return written.some((text) => tryPattern(matcher.regex, text) === "matches");
    case "include":
      return written.some((text) => text.includes(matcher.value));
    case "equality":
      return false;
    default:
      return true;
  }
}

/** Whether a violation is of what the consumer relies on, and not of what it leaves out or gives as an example. */
function isMeant({ response }: Interaction, { rule, pointer, keyword }: Violation): boolean {
  const { body } = response;
  if (rulesOfRequest.has(rule) || rule === documentedStatus.id) return true;
  // The consumer looks neither at a body nor at its type.
  if (body === undefined) return rulesOfHead.has(rule) && mediaType(response.headers) !== undefined;
  if (rulesOfHead.has(rule)) return true;
  if (!rulesOfBody.has(rule)) return false;
  if (body.type !== "json") return pointer === "" && !(rule === ledger400IsText.id && body.type === "bytes");
  if (keyword === "minProperties") return false;
  // What is missing is where a pointer leads to nothing.
  const path = pathOf(body.value, pointer);
  if (path === undefined) return false;
  const matchers = ruleFor(response.rules.body, path)?.matchers ?? [];
  return matchers.every((matcher) => isLiteral(matcher) || (matcher.type === "type" && keyword === "type"));
}

function isLiteral({ type }: Matcher): boolean {
  return type === "equality" || type === "null";
}

/** The members and indexes of a pointer; undefined where it leads to nothing. */
function pathOf(root: Json, pointer: string): readonly (string | number)[] | undefined {
  const segments = pointer.split("/").slice(1);
  const path: (string | number)[] = [];
  for (const [place, segment] of segments.entries()) {
    const parent = valueAt(root, ["", ...segments.slice(0, place)].join("/"));
    path.push(Array.isArray(parent) ? Number(segment) : segment.replaceAll("~1", "/").replaceAll("~0", "~"));
  }
  return valueAt(root, pointer) === undefined ? undefined : path;
}

function told({ request, response }: Interaction, violation: Violation): PactFinding {
  const { rule, section, outcome, expected, actual, pointer, divergence } = violation;
  const at = rulesOfRequest.has(rule) ? "request" : "response";
  const message = at === "request" ? request : response;
  const inBody = pointer === "" || message.body?.type !== "json" ? undefined : pathOf(message.body.value, pointer);
  const head = rule === documentedStatus.id ? "status" : rulesOfHead.has(rule) ? "headers" : "body";
  const path = inBody === undefined ? [...message.path, head] : [...(message.body?.path ?? []), ...inBody];
  return {
    outcome: outcome === "PASS" ? "WARN" : outcome,
    at,
    pointer,
    contract: expected,
    pact: actual,
    section,
    rule,
    divergence,
    path,
  };
}

/** The contract describes no header of a response but its type. */
function headerFindings({ response }: Interaction, { section }: SpecOperation): readonly PactFinding[] {
  return response.headers
    .filter(([name]) => name.toLowerCase() !== "content-type")
    .map(([name]) => ({
      outcome: "WARN" as const,
      at: "response" as const,
      pointer: "",
      contract: "it promises no header but Content-Type",
      pact: `relies on ${name}`,
      section,
      rule: undefined,
      divergence: undefined,
      path: [...response.path, "headers", name],
    }));
}
