import { stringify } from "yaml";
import { maskedCurlLine } from "../../checker/engine/curl-line.ts";
import type { Violation } from "../../checker/engine/exchange-verdict.ts";
import { rules } from "../../checker/rules/index.ts";
import type { Message } from "../../foundation/http/message.ts";
import { type Json, parseJson } from "../../foundation/json/json.ts";
import { type Mask, maskedHeaders } from "../../foundation/secrets/mask.ts";
import { isSecretName, redactionMark } from "../../foundation/secrets/secret-name.ts";
import { routeOf } from "../../foundation/spec/route-of.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import type { World } from "../../simulator/world/world.ts";
import type { components } from "../control/generated/control-types.ts";
import type { StatesAround } from "../hosting/hosted-world.ts";
import type { JournalRecord } from "../journal/journal.ts";
import { reasonOf } from "../journal/journal-entry.ts";
import { maskOfExchange, shownBody } from "../journal/shown-exchange.ts";
import { changesBetween } from "./changes.ts";
import type { ExchangeResults } from "./inspected-world.ts";

type Schemas = components["schemas"];

/** Renders the summary line of an exchange. */
export function lineJson(
  { number, entry, context }: JournalRecord<StatesAround | undefined>,
  { verdict: { outcome, violations }, clientFindings }: ExchangeResults,
  world: World | undefined,
): Schemas["TrafficLine"] {
  const { startedAt, virtualAt, durationMs, request, response, operationId = null, unexpected = null } = entry;
  const [mask, reason] = [maskOfExchange(entry, world), reasonOf(entry)];
  return {
    number,
    startedAt,
    virtualAt,
    durationMs,
    method: request.method,
    target: mask(request.target),
    operationId,
    status: response.type === "response" ? response.status : null,
    broken: response.type === "response" ? null : response.kind,
    outcome,
    rules: [...new Map(violations.map(({ rule, outcome }) => [`${rule} ${outcome}`, { rule, outcome }])).values()],
    clientRules: [...new Map(clientFindings.map(({ rule, severity }) => [rule, { rule, severity }])).values()],
    changes: changesOf(context).length,
    unexpected,
    reason: reason === undefined ? null : mask(reason),
  };
}

/** The spec and the world of an inspected exchange. */
interface InspectionContext {
  readonly spec: Spec;
  /** Undefined for recorded traffic. */
  readonly world: World | undefined;
}

/** Renders an exchange with its violations, changes and copies; secrets are redacted. */
export function exchangeJson(
  record: JournalRecord<StatesAround | undefined>,
  results: ExchangeResults,
  { spec, world }: InspectionContext,
): Schemas["InspectedExchange"] {
  const { entry, context } = record;
  const { request, response } = entry;
  const mask = maskOfExchange(entry, world);
  return {
    line: lineJson(record, results, world),
    request: messageJson(request, mask),
    response: response.type === "response" ? messageJson(response, mask) : null,
    broken: results.verdict.violations.map((violation) => violationJson(violation, mask)),
    clientFindings: results.clientFindings.map((finding) => ({
      rule: finding.rule,
      severity: finding.severity,
      section: finding.section,
      sentence: finding.sentence,
      expected: finding.expected,
      actual: mask(finding.actual),
      pointer: mask(finding.pointer),
      advice: finding.advice,
    })),
    changes: changesOf(context),
    copies: {
      curl: maskedCurlLine(request, mask),
      step: stepText(record, spec, mask),
      plan: planText(record, mask),
    },
  };
}

function changesOf(context: StatesAround | undefined): Schemas["WorldChange"][] {
  return context === undefined ? [] : changesBetween(context.before, context.after);
}

function messageJson({ headers, body }: Message, mask: Mask): Schemas["InspectedMessage"] {
  return { headers: maskedHeaders(headers, mask).map((header) => [...header]), body: shownBody(body, mask) };
}

function violationJson(
  { rule, section, outcome, divergence, pointer, expected, actual }: Violation,
  mask: Mask,
): Schemas["BrokenRule"] {
  const summary = rules.find(({ id }) => id === rule)?.summary ?? "";
  // A signature is recognized by its member name only, which the quoted value lacks.
  const shownActual = pointer.endsWith("/signature") ? redactionMark : mask(actual);
  return {
    rule,
    summary,
    section,
    outcome,
    divergence: divergence ?? null,
    pointer: mask(pointer),
    expected: mask(expected),
    actual: shownActual,
  };
}

/** Renders the request as a scenario step that expects the same status. Empty if it matches no operation. */
function stepText(
  { number, entry: { operationId, request, response } }: JournalRecord<StatesAround | undefined>,
  spec: Spec,
  mask: Mask,
): string {
  const operation = spec.operations.find((each) => each.operationId === operationId);
  if (operation === undefined) return "";
  const [, search = ""] = request.target.split(/\?(.*)/s);
  const source = operation.isAdditional ? "additionalOperations" : operation.api;
  const parameters = [
    ...Object.entries(routeOf(spec, request)?.pathParameters ?? {}).map(([name, value]) => ({
      name,
      in: "path",
      value: mask(value),
    })),
    ...[...new URLSearchParams(search)].map(([name, value]) => ({
      name,
      in: "query",
      value: isSecretName(name) ? redactionMark : mask(`?${name}=${value}`).slice(name.length + 2),
    })),
    ...(operation.api === "ledger" ? [{ name: "Authorization", in: "header", value: "Bearer any" }] : []),
  ];
  const body = bodyOf(shownBody(request.body, mask));
  const step = {
    stepId: `step-${number}`,
    operationId: `$sourceDescriptions.${source}.${operation.operationId}`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { contentType: "application/json", payload: body } }),
    ...(response.type === "response"
      ? { successCriteria: [{ condition: `$statusCode == ${response.status}` }] }
      : { "x-broken": response.kind }),
  };
  return stringify([step], { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Renders a plan entry that repeats this response. Empty if the request matches no operation. */
function planText({ entry: { operationId, response } }: JournalRecord<StatesAround | undefined>, mask: Mask): string {
  if (operationId === undefined) return "";
  const instead =
    response.type === "response"
      ? responseOf(response, mask)
      : response.kind === "timed-out"
        ? { timeout: true }
        : { reset: true };
  return stringify([{ on: operationId, instead }], { lineWidth: 0, aliasDuplicateObjects: false });
}

function responseOf({ status, headers, body }: Message & { readonly status: number }, mask: Mask) {
  const contentType = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const text = shownBody(body, mask);
  const isJson = contentType?.startsWith("application/json") === true;
  return {
    status,
    ...(contentType === undefined || isJson ? {} : { contentType }),
    body: isJson ? (bodyOf(text) ?? text) : text,
  };
}

/** Undefined if the body is empty or not JSON. */
function bodyOf(text: string): Json | undefined {
  if (text === "") return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
