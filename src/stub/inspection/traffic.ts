import { stringify } from "yaml";
import type { Violation } from "../../checker/engine/checker.ts";
import { maskedCurlLine } from "../../checker/engine/curl-line.ts";
import { rules } from "../../checker/rules/index.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import { type Json, type JsonObject, parseJson } from "../../foundation/json/json.ts";
import { type Mask, maskedHeaders } from "../../foundation/secrets/mask.ts";
import { isSecretName, leftOut } from "../../foundation/secrets/secret-name.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import type { World } from "../../simulator/world/world.ts";
import { maskOfExchange, shownBody } from "../control/shown-exchange.ts";
import type { PointInTime } from "../hosting/hosting.ts";
import type { JournalRecord } from "../journal/journal.ts";
import { changesBetween, type RowChange } from "./changes.ts";
import type { Said } from "./inspected-world.ts";

/** An exchange in a line. */
export function lineJson(
  { number, entry, pointInTime }: JournalRecord<PointInTime | undefined>,
  { outcome, violations }: Said,
  world: World | undefined,
): JsonObject {
  const { startedAt, virtualAt, durationMs, request, response, operationId = null, unexpected = null } = entry;
  return {
    number,
    startedAt,
    virtualAt,
    durationMs,
    method: request.method,
    target: maskOfExchange(entry, world)(request.target),
    operationId,
    status: response.type === "response" ? response.status : null,
    broken: response.type === "response" ? null : response.kind,
    outcome,
    rules: [...new Set(violations.map(({ rule }) => rule))],
    changes: changesOf(pointInTime).length,
    unexpected,
  };
}

/** What an exchange is looked at with. */
export interface Sight {
  readonly spec: Spec;
  /** Undefined where it is not known. */
  readonly world: World | undefined;
}

/** An exchange with all that is known of it, secrets left out. */
export function exchangeJson(
  record: JournalRecord<PointInTime | undefined>,
  said: Said,
  { spec, world }: Sight,
): JsonObject {
  const { entry, pointInTime } = record;
  const { request, response } = entry;
  const mask = maskOfExchange(entry, world);
  return {
    line: lineJson(record, said, world),
    request: messageJson(request, mask),
    response: response.type === "response" ? messageJson(response, mask) : null,
    broken: said.violations.map((violation) => violationJson(violation, mask)),
    changes: changesOf(pointInTime).map(({ table, id, what }) => ({ table, id, what: mask(what) })),
    copies: {
      curl: maskedCurlLine(request, mask),
      step: stepText(record, spec, mask),
      plan: planText(record, mask),
    },
  };
}

function changesOf(pointInTime: PointInTime | undefined): readonly RowChange[] {
  return pointInTime === undefined ? [] : changesBetween(pointInTime.before, pointInTime.after);
}

interface Message {
  readonly headers: HeaderList;
  readonly body: Uint8Array;
}

function messageJson({ headers, body }: Message, mask: Mask): JsonObject {
  return { headers: maskedHeaders(headers, mask), body: shownBody(body, mask) };
}

function violationJson(
  { rule, section, outcome, divergence, pointer, expected, actual }: Violation,
  mask: Mask,
): JsonObject {
  const summary = rules.find(({ id }) => id === rule)?.summary ?? "";
  // A finding may quote a member without its name, by which alone a signature is known.
  const came = pointer.endsWith("/signature") ? leftOut : mask(actual);
  return {
    rule,
    summary,
    section,
    outcome,
    divergence: divergence ?? null,
    pointer: mask(pointer),
    expected: mask(expected),
    actual: came,
  };
}

/** The request as a step of a scenario that expects the same status. Empty where it is of no operation. */
function stepText(
  { number, entry: { operationId, request, response } }: JournalRecord<PointInTime | undefined>,
  spec: Spec,
  mask: Mask,
): string {
  const operation = spec.operations.find((each) => each.operationId === operationId);
  if (operation === undefined) return "";
  const [path = "", search = ""] = request.target.split(/\?(.*)/s);
  const route = spec.route(request.method, path);
  const source = operation.isAdditional ? "additionalOperations" : operation.api;
  const parameters = [
    ...Object.entries(route.type === "found" ? route.pathParameters : {}).map(([name, value]) => ({
      name,
      in: "path",
      value: mask(value),
    })),
    ...[...new URLSearchParams(search)].map(([name, value]) => ({
      name,
      in: "query",
      value: isSecretName(name) ? leftOut : mask(`?${name}=${value}`).slice(name.length + 2),
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

/** An entry of a plan that gives this response again. Empty where the request is of no operation. */
function planText({ entry: { operationId, response } }: JournalRecord<PointInTime | undefined>, mask: Mask): string {
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

/** Undefined where a body is empty or no JSON. */
function bodyOf(text: string): Json | undefined {
  if (text === "") return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
