import type { Body } from "../../foundation/http/body.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { headerValues, mediaType } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";
import { type JsonObject, jsonOf } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf } from "../../foundation/json/members.ts";
import { isSecretHeader } from "../../foundation/secrets/secret-name.ts";
import { declaredResponse, type SpecOperation } from "../../foundation/spec/operation.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { base64OfBytes } from "../../foundation/text/base64.ts";
import { isUtf8 } from "../../foundation/text/utf8.ts";
import type { Scenario } from "../../scenarios/files/load-scenario.ts";
import { providedStates, stepIdsOf } from "../../scenarios/files/provider-states.ts";
import type { StepResult } from "../../scenarios/files/run-step.ts";
import { deriveBody, textsIn } from "./_derive-rules.ts";
import { schemaAt } from "./_schema.ts";
import { afterStepParam } from "./provider-state-server.ts";
import { ownMetadata } from "./read-pact.ts";

/** A played scenario, and the names for its Pact. */
interface PactSource {
  readonly scenario: Scenario;
  readonly steps: readonly StepResult[];
  /** The spec, including the additional operations. */
  readonly spec: Spec;
  readonly consumer: string;
  readonly provider: string;
  /** Version of Understudy. */
  readonly version: string;
}

export interface WrittenPact {
  readonly pact: JsonObject;
  readonly interactions: number;
  readonly skipped: readonly SkippedStep[];
}

/** A step that is not in the Pact, with the reason. */
interface SkippedStep {
  readonly stepId: string;
  readonly reason: string;
}

/** Writes a Pact of version 4 with one interaction per step. Each can be verified alone: its provider state runs the steps before it. */
export function writePact(played: PactSource): WrittenPact {
  const { scenario, steps, spec, consumer, provider, version } = played;
  const written = steps.map((step) => interactionOf(step, played));
  const interactions = written.flatMap((each) => ("interaction" in each ? [each.interaction] : []));
  const skipped = written.flatMap((each) => ("reason" in each ? [each] : []));
  const pact = {
    consumer: { name: consumer },
    provider: { name: provider },
    interactions,
    metadata: {
      pactSpecification: { version: "4.0" },
      [ownMetadata]: { version, scenario: scenario.main.id, profile: spec.profile.ledger },
    },
  };
  return { pact, interactions: interactions.length, skipped };
}

function interactionOf(
  { stepId, exchange }: StepResult,
  { scenario, spec }: PactSource,
): { readonly interaction: JsonObject } | SkippedStep {
  if (exchange === undefined) return { stepId, reason: "it was not run" };
  const { request, response } = exchange;
  if (response.type === "broken")
    return { stepId, reason: `its response is cut off (${response.kind}), which a Pact cannot express` };
  if (request.target.startsWith("/__understudy/")) return { stepId, reason: "it is a step on the control API" };
  const route = spec.route(request.method, request.target.split("?")[0] ?? "");
  const operation = route.type === "found" ? route.operation : undefined;
  const described = textOf(stepOf(scenario, stepId)["description"]).trim().replace(/\.$/, "");
  return {
    interaction: {
      type: "Synchronous/HTTP",
      key: `${scenario.main.id}/${stepId}`,
      description: described === "" ? stepId : `${stepId}: ${described}`,
      pending: false,
      providerStates: [providerStateBefore(scenario, stepId)],
      request: requestJson(request),
      response: responseJson(exchange, response, { spec, operation, exactPointers: exactPointersIn(scenario, stepId) }),
    },
  };
}

/** A step of the workflow by its id. */
function stepOf({ main }: Scenario, stepId: string): JsonObject {
  return objectOf(objectsOf(main.value["steps"]).find((step) => step["stepId"] === stepId));
}

/** The provider state before a step: a named one of the scenario, or else its first state with the preceding step as parameter. */
function providerStateBefore({ main: { value: workflow } }: Scenario, stepId: string): JsonObject {
  const states = providedStates(workflow);
  const before = stepIdsOf(workflow)[stepIdsOf(workflow).indexOf(stepId) - 1];
  const named = states.find(({ afterStep }) => afterStep === before);
  if (named !== undefined) return { name: named.name };
  const begin = states.find(({ afterStep }) => afterStep === undefined);
  return { name: begin?.name ?? "", ...(before === undefined ? {} : { params: { [afterStepParam]: before } }) };
}

/** JSON pointers into the response that the conditions of a step compare. */
function exactPointersIn(scenario: Scenario, stepId: string): ReadonlySet<string> {
  const conditions = objectsOf(stepOf(scenario, stepId)["successCriteria"]).flatMap(({ condition }) => [
    ...textOf(condition).matchAll(/\$response\.body#(\/[^\s()=!<>&|]*)\s*==/g),
  ]);
  return new Set(conditions.map(([, pointer = ""]) => pointer));
}

/** Example token: the scenario's own token is not written to the file. */
const tokenExample = "Bearer a-token-of-the-consumer";
const tokenRule = { combine: "AND", matchers: [{ match: "regex", regex: "^Bearer .+$" }] };

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
        [
          name,
          [
            hasToken && name.toLowerCase() === "authorization"
              ? tokenExample
              : isSecretHeader(name)
                ? "[redacted]"
                : value,
          ],
        ] as const,
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

/** Writes a body. Invalid JSON with a JSON media type is written in base64, so its text is not read as a JSON string. */
function bodyJson(body: Body, type: string | undefined): JsonObject {
  if (body.storedLength === 0) return {};
  const isJson = type === "application/json";
  const value = isJson ? jsonOf(body.text()) : undefined;
  const contentType = type ?? "application/octet-stream";
  if (value !== undefined) return { body: { content: value, contentType, encoded: false } };
  if (!isJson && isUtf8(body.bytes())) return { body: { content: body.text(), contentType, encoded: false } };
  return { body: { content: base64OfBytes(body.bytes()), contentType, encoded: "base64" } };
}

interface ResponseContext {
  readonly spec: Spec;
  readonly operation: SpecOperation | undefined;
  readonly exactPointers: ReadonlySet<string>;
}

function responseJson(
  { request }: Exchange,
  response: Response,
  { spec, operation, exactPointers }: ResponseContext,
): JsonObject {
  const type = mediaType(response.headers);
  const head = { status: response.status, ...(type === undefined ? {} : { headers: { "Content-Type": [type] } }) };
  const value = type === "application/json" ? jsonOf(response.body.text()) : undefined;
  if (value === undefined) return { ...head, ...textJson(response, type) };
  const description = operation === undefined ? {} : spec.descriptions[operation.api];
  const declared = operation && declaredResponse(operation, response.status);
  const schema = declared === undefined ? {} : schemaAt(description, declared.schema);
  const requestTexts = textsIn(request.target, jsonOf(request.body.text()));
  const derived = deriveBody({ description, exactPointers, requestTexts }, value, schema);
  return {
    ...head,
    body: { content: derived.value, contentType: "application/json", encoded: false },
    ...(Object.keys(derived.rules).length === 0 ? {} : { matchingRules: { body: derived.rules } }),
  };
}

/** Writes a text body. The error code at its start must be equal; the rest can differ. */
function textJson(response: Response, type: string | undefined): JsonObject {
  const body = bodyJson(response.body, type);
  if (!isUtf8(response.body.bytes()) || type !== "text/plain") return body;
  const regex = kindOf(response.body.text());
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
