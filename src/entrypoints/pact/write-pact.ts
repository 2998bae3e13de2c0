import type { Exchange } from "../../foundation/http/exchange.ts";
import { headerValues, mediaType } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";
import { isJsonObject, type JsonObject, jsonIn } from "../../foundation/json/json.ts";
import { isSecretHeader } from "../../foundation/secrets/secret-header.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { base64OfBytes } from "../../foundation/text/base64.ts";
import { isUtf8 } from "../../foundation/text/utf8.ts";
import type { Scenario } from "../../scenarios/files/load-scenario.ts";
import { providedStates, stepIdsOf } from "../../scenarios/files/provider-states.ts";
import type { StepResult } from "../../scenarios/files/run-scenario.ts";
import { deriveBody, textsIn } from "./_derive-rules.ts";
import { schemaAt } from "./_schema.ts";
import { afterStepParam } from "./provider-state-server.ts";
import { ownMetadata } from "./read-pact.ts";

/** A scenario that was played, and what its Pact is to say. */
export interface PactSource {
  readonly scenario: Scenario;
  readonly steps: readonly StepResult[];
  /** What the responses are described by, additional operations included. */
  readonly spec: Spec;
  readonly consumer: string;
  readonly provider: string;
  /** Version of Understudy. */
  readonly version: string;
}

export interface WrittenPact {
  readonly pact: JsonObject;
  readonly interactions: number;
  readonly leftOut: readonly LeftOut[];
}

export interface LeftOut {
  readonly stepId: string;
  readonly why: string;
}

/** A Pact of version 4 with one interaction a step. Each can be verified alone: its provider state carries the steps before it. */
export function writePact(played: PactSource): WrittenPact {
  const { scenario, steps, spec, consumer, provider, version } = played;
  const written = steps.map((step) => interactionOf(step, played));
  const interactions = written.flatMap((each) => ("interaction" in each ? [each.interaction] : []));
  const leftOut = written.flatMap((each) => ("why" in each ? [each] : []));
  const pact = {
    consumer: { name: consumer },
    provider: { name: provider },
    interactions,
    metadata: {
      pactSpecification: { version: "4.0" },
      [ownMetadata]: { version, scenario: workflowIdOf(scenario), profile: spec.profile.ledger },
    },
  };
  return { pact, interactions: interactions.length, leftOut };
}

/** The name of a scenario. */
export function workflowIdOf({ workflow }: Scenario): string {
  return String(workflow["workflowId"] ?? "");
}

function interactionOf(
  { stepId, exchange }: StepResult,
  { scenario, spec }: PactSource,
): { readonly interaction: JsonObject } | LeftOut {
  if (exchange === undefined) return { stepId, why: "it was not run" };
  const { request, response } = exchange;
  if (response.type === "broken")
    return { stepId, why: `its connection breaks (${response.kind}), which no Pact can say` };
  if (request.target.startsWith("/__understudy/")) return { stepId, why: "it is a step on the control API" };
  const route = spec.route(request.method, request.target.split("?")[0] ?? "");
  const operation = route.type === "found" ? route.operation : undefined;
  const described = stepDescription(scenario, stepId);
  return {
    interaction: {
      type: "Synchronous/HTTP",
      key: `${workflowIdOf(scenario)}/${stepId}`,
      description: described === undefined ? stepId : `${stepId}: ${described}`,
      pending: false,
      providerStates: [providerStateBefore(scenario, stepId)],
      request: requestJson(request),
      response: responseJson(exchange, response, { spec, operation, meant: meantIn(scenario, stepId) }),
    },
  };
}

function stepsOf({ workflow }: Scenario): readonly JsonObject[] {
  const list = workflow["steps"];
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function stepDescription(scenario: Scenario, stepId: string): string | undefined {
  const description = stepsOf(scenario).find((step) => step["stepId"] === stepId)?.["description"];
  return typeof description === "string" ? description.trim().replace(/\.$/, "") : undefined;
}

/** In the scenario's own words where it has some for what is so then. */
function providerStateBefore({ workflow }: Scenario, stepId: string): JsonObject {
  const states = providedStates(workflow);
  const before = stepIdsOf(workflow)[stepIdsOf(workflow).indexOf(stepId) - 1];
  const named = states.find(({ afterStep }) => afterStep === before);
  if (named !== undefined) return { name: named.name };
  const begin = states.find(({ afterStep }) => afterStep === undefined);
  return { name: begin?.name ?? "", ...(before === undefined ? {} : { params: { [afterStepParam]: before } }) };
}

/** The places of the response that a step's conditions speak of. */
function meantIn(scenario: Scenario, stepId: string): ReadonlySet<string> {
  const criteria = stepsOf(scenario).find((step) => step["stepId"] === stepId)?.["successCriteria"];
  const conditions = (Array.isArray(criteria) ? criteria.filter(isJsonObject) : []).flatMap(({ condition }) =>
    typeof condition === "string" ? [...condition.matchAll(/\$response\.body#(\/[^\s()=!<>&|]*)\s*==/g)] : [],
  );
  return new Set(conditions.map(([, pointer = ""]) => pointer));
}

/** Anybody's token will do; the one of the scenario stays out of the file. */
const tokenExample = "Bearer a-token-of-the-consumer";
const tokenRule = { combine: "AND", matchers: [{ match: "regex", regex: "^Bearer .+$" }] };

function shownValue(name: string, value: string): string {
  return isSecretHeader(name) ? "[redacted]" : value;
}

function requestJson(request: Request): JsonObject {
  const [path = "", search] = request.target.split("?");
  const query = [...Map.groupBy(new URLSearchParams(search ?? ""), ([name]) => name)].map(
    ([name, pairs]) => [name, pairs.map(([, value]) => value)] as const,
  );
  const hasToken = /^Bearer \S/.test(headerValues(request.headers, "authorization")[0] ?? "");
  const headers = request.headers
    .filter(([name]) => name.toLowerCase() !== "host")
    .map(
      ([name, value]) =>
        [name, [hasToken && name.toLowerCase() === "authorization" ? tokenExample : shownValue(name, value)]] as const,
    );
  return {
    method: request.method,
    path,
    ...(query.length === 0 ? {} : { query: Object.fromEntries(query) }),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...bodyJson(request.body, mediaType(request.headers)),
    ...(hasToken ? { matchingRules: { header: { Authorization: tokenRule } } } : {}),
  };
}

/** A body that calls itself JSON and is none is written in base64, so that nobody takes its text for a JSON string. */
function bodyJson(body: Uint8Array, type: string | undefined): JsonObject {
  if (body.length === 0) return {};
  const isJson = type === "application/json";
  const value = isJson ? jsonIn(body) : undefined;
  const contentType = type ?? "application/octet-stream";
  if (value !== undefined) return { body: { content: value, contentType, encoded: false } };
  if (!isJson && isUtf8(body))
    return { body: { content: new TextDecoder().decode(body), contentType, encoded: false } };
  return { body: { content: base64OfBytes(body), contentType, encoded: "base64" } };
}

interface Described {
  readonly spec: Spec;
  readonly operation: SpecOperation | undefined;
  readonly meant: ReadonlySet<string>;
}

function responseJson({ request }: Exchange, response: Response, { spec, operation, meant }: Described): JsonObject {
  const type = mediaType(response.headers);
  const head = { status: response.status, ...(type === undefined ? {} : { headers: { "Content-Type": [type] } }) };
  const value = type === "application/json" ? jsonIn(response.body) : undefined;
  if (value === undefined) return { ...head, ...textJson(response, type) };
  const description = operation === undefined ? {} : spec.descriptions[operation.api];
  const declared = operation?.responses[String(response.status)] ?? operation?.responses["default"];
  const schema = declared === undefined ? {} : schemaAt(description, declared.schema);
  const requested = textsIn(request.target, jsonIn(request.body));
  const derived = deriveBody({ description, meant, requested }, value, schema);
  return {
    ...head,
    body: { content: derived.value, contentType: "application/json", encoded: false },
    ...(Object.keys(derived.rules).length === 0 ? {} : { matchingRules: { body: derived.rules } }),
  };
}

/** A text is compared as text: what kind of refusal it is to the letter, the words behind it as they come. */
function textJson(response: Response, type: string | undefined): JsonObject {
  const body = bodyJson(response.body, type);
  if (!isUtf8(response.body) || type !== "text/plain") return body;
  const regex = kindOf(new TextDecoder().decode(response.body));
  if (regex === undefined) return body;
  return { ...body, matchingRules: { body: { $: { combine: "AND", matchers: [{ match: "regex", regex }] } } } };
}

/** `CODE: cause`, or `Invalid value for: place (…)`. */
function kindOf(text: string): string | undefined {
  const code = /^([A-Z][A-Z_]+)(?=[:(])/.exec(text)?.[1];
  if (code !== undefined) return `^${code}[:(][\\s\\S]*$`;
  const place = /^Invalid value for: [\w -]+/.exec(text)?.[0].trimEnd();
  return place === undefined ? undefined : `^${place}[\\s\\S]*$`;
}
