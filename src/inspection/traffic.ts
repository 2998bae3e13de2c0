import { stringify } from "yaml";
import { curlLine } from "../conformance/curl-line.ts";
import type { Violation } from "../conformance/judge.ts";
import { rules } from "../conformance/rules/index.ts";
import type { Moment } from "../hosting/hosting.ts";
import type { HeaderList } from "../http/header.ts";
import { type Json, type JsonObject, parseJson } from "../http/json.ts";
import { isSecretHeader } from "../http/secret-header.ts";
import type { JournalRecord } from "../journal/journal.ts";
import type { Spec } from "../spec/spec.ts";
import { changesBetween, type RowChange } from "./changes.ts";
import type { Said } from "./inspected-world.ts";

/** An exchange in a line. */
export function lineJson(
  { number, entry, moment }: JournalRecord<Moment | undefined>,
  { outcome, violations }: Said,
): JsonObject {
  const { startedAt, virtualAt, durationMs, request, answer, operationId = null, unexpected = null } = entry;
  return {
    number,
    startedAt,
    virtualAt,
    durationMs,
    method: request.method,
    target: request.target,
    operationId,
    status: answer.type === "response" ? answer.status : null,
    broken: answer.type === "response" ? null : answer.kind,
    outcome,
    rules: [...new Set(violations.map(({ rule }) => rule))],
    changes: changesOf(moment).length,
    unexpected,
  };
}

/** An exchange with all that is known of it; the values of secret headers are left out. */
export function exchangeJson(record: JournalRecord<Moment | undefined>, said: Said, spec: Spec): JsonObject {
  const { entry, moment } = record;
  const { request, answer } = entry;
  return {
    line: lineJson(record, said),
    request: messageJson(request),
    answer: answer.type === "response" ? messageJson(answer) : null,
    broken: said.violations.map(violationJson),
    changes: changesOf(moment).map(({ table, id, what }) => ({ table, id, what })),
    copies: {
      curl: curlLine(request),
      step: stepText(record, spec),
      plan: planText(record),
    },
  };
}

function changesOf(moment: Moment | undefined): readonly RowChange[] {
  return moment === undefined ? [] : changesBetween(moment.before, moment.after);
}

function messageJson({ headers, body }: { readonly headers: HeaderList; readonly body: Uint8Array }): JsonObject {
  return {
    headers: headers.map(([name, value]) => [name, isSecretHeader(name) ? "(left out)" : value]),
    body: new TextDecoder().decode(body),
  };
}

function violationJson({ rule, section, outcome, divergence, pointer, expected, actual }: Violation): JsonObject {
  const summary = rules.find(({ id }) => id === rule)?.summary ?? "";
  return { rule, summary, section, outcome, divergence: divergence ?? null, pointer, expected, actual };
}

/** The request as a step of a scenario that expects the same status. Empty where it is of no operation. */
function stepText(
  { number, entry: { operationId, request, answer } }: JournalRecord<Moment | undefined>,
  spec: Spec,
): string {
  const operation = spec.operations.find((each) => each.operationId === operationId);
  if (operation === undefined) return "";
  const [path = "", search = ""] = request.target.split(/\?(.*)/s);
  const route = spec.route(request.method, path);
  const source = operation.isNeighbour ? "neighbours" : operation.api;
  const parameters = [
    ...Object.entries(route.type === "found" ? route.pathParameters : {}).map(([name, value]) => ({
      name,
      in: "path",
      value,
    })),
    ...[...new URLSearchParams(search)].map(([name, value]) => ({ name, in: "query", value })),
    ...(operation.api === "ledger" ? [{ name: "Authorization", in: "header", value: "Bearer any" }] : []),
  ];
  const body = bodyOf(request.body);
  const step = {
    stepId: `step-${number}`,
    operationId: `$sourceDescriptions.${source}.${operation.operationId}`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { contentType: "application/json", payload: body } }),
    ...(answer.type === "response"
      ? { successCriteria: [{ condition: `$statusCode == ${answer.status}` }] }
      : { "x-broken": answer.kind }),
  };
  return stringify([step], { lineWidth: 0, aliasDuplicateObjects: false });
}

/** An entry of a plan that gives this answer again. Empty where the request is of no operation. */
function planText({ entry: { operationId, answer } }: JournalRecord<Moment | undefined>): string {
  if (operationId === undefined) return "";
  const instead =
    answer.type === "response" ? answerOf(answer) : answer.kind === "timed-out" ? { timeout: true } : { reset: true };
  return stringify([{ on: operationId, instead }], { lineWidth: 0, aliasDuplicateObjects: false });
}

function answerOf({
  status,
  headers,
  body,
}: {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
}) {
  const contentType = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const text = new TextDecoder().decode(body);
  const isJson = contentType?.startsWith("application/json") === true;
  return {
    status,
    ...(contentType === undefined || isJson ? {} : { contentType }),
    body: isJson ? (bodyOf(body) ?? text) : text,
  };
}

/** Undefined where a body is empty or no JSON. */
function bodyOf(body: Uint8Array): Json | undefined {
  if (body.length === 0) return undefined;
  try {
    return parseJson(new TextDecoder().decode(body));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
