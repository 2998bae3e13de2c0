import { headerValues } from "../../foundation/http/header.ts";
import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { parameterNames } from "../files/check-parameters.ts";
import { freeName, kebab } from "./_names.ts";
import type { RecordedCall } from "./recorded-call.ts";
import { References, type Source } from "./references.ts";
import { SeenTokens } from "./tokens.ts";

/** A call as a step of a scenario, without success criteria. */
export interface DraftStep {
  readonly call: RecordedCall;
  readonly stepId: string;
  readonly json: JsonObject;
  /** Expressions that later steps refer to, by name. */
  readonly outputs: Map<string, string>;
}

/** Every call as a step. A value that an earlier response gave becomes a reference to that response. */
export function stepsOf(calls: readonly RecordedCall[]): readonly DraftStep[] {
  const references = new References();
  const tokens = new SeenTokens();
  const ids = new Set<string>();
  const steps: DraftStep[] = [];
  for (const [place, call] of calls.entries()) {
    const refer: Refer = (value, path) => {
      const source = references.of(value, path);
      return source === undefined ? value : referenceTo(steps[source.place], source);
    };
    const stepId = freeName(idOf(call), ids);
    ids.add(stepId);
    steps.push({ call, stepId, json: stepJson(call, refer, tokens), outputs: new Map() });
    references.note(place, call);
  }
  return steps;
}

/** A value of a request, or the reference to the earlier response that gave it. */
type Refer = (value: Json, path: readonly string[]) => Json;

function stepJson(call: RecordedCall, refer: Refer, tokens: SeenTokens): JsonObject {
  const { operation, exchange } = call;
  const source =
    operation.api === "control" ? "control" : operation.isAdditional ? "additionalOperations" : operation.api;
  const token = operation.isPublic
    ? undefined
    : tokens.written(exchange.request.headers, call.status, call.responseText);
  const accept = headerValues(exchange.request.headers, "accept")[0];
  const parameters: readonly JsonObject[] = [
    ...Object.entries(call.path).map(([name, value]) => ({ name, in: "path", value: refer(value, []) })),
    ...call.query.map(([name, value]) => ({
      ...{ name, in: "query", value: numberOr(refer(value, [])) },
      ...(parameterNames(operation, "query").includes(name) ? {} : { "x-unknown": true }),
    })),
    ...(token === undefined ? [] : [{ name: "Authorization", in: "header", value: token }]),
    ...(accept === undefined || /json|\*\/\*/i.test(accept) ? [] : [{ name: "Accept", in: "header", value: accept }]),
  ];
  return {
    description: `${operation.method} ${operation.path}`,
    operationId: `$sourceDescriptions.${source}.${operation.operationId}`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(call, refer),
  };
}

/** Small numbers are written without quotes for readability; the request is the same. */
function numberOr(value: Json): Json {
  return typeof value === "string" && /^(?:0|-?[1-9]\d{0,8})$/.test(value) ? Number(value) : value;
}

function requestBody({ body, requestText, exchange }: RecordedCall, refer: Refer): JsonObject {
  if (requestText === "") return {};
  const contentType = headerValues(exchange.request.headers, "content-type")[0] ?? "application/json";
  const isRaw = body === undefined || typeof body !== "object" || body === null || !isWritable(body);
  return { requestBody: { contentType, payload: isRaw ? requestText : rewritten(body, [], refer) } };
}

function rewritten(value: Json, path: readonly string[], leaf: Refer): Json {
  if (Array.isArray(value)) return value.map((entry, index) => rewritten(entry, [...path, String(index)], leaf));
  if (!isJsonObject(value)) return leaf(value, path);
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, rewritten(entry, [...path, name], leaf)]),
  );
}

/** Whether a step can hold a value unchanged: large integers would be rounded, and a text with $ is an expression. */
export function isWritable(value: Json): boolean {
  if (typeof value === "bigint") return false;
  if (typeof value === "string") return !value.startsWith("$") && !value.includes("{$");
  if (Array.isArray(value)) return value.every(isWritable);
  return isJsonObject(value) ? Object.values(value).every(isWritable) : true;
}

/** The expression for a value of an earlier step. Adds the output to that step. */
function referenceTo(step: DraftStep | undefined, { pointer, name }: Source): string {
  if (step === undefined) throw new Error("invariant: a value comes from an earlier step");
  const expression = `$response.body#${pointer}`;
  for (let number = 1; ; number += 1) {
    const output = number === 1 ? name : `${name}-${number}`;
    const known = step.outputs.get(output);
    if (known !== undefined && known !== expression) continue;
    step.outputs.set(output, expression);
    return `$steps.${step.stepId}.outputs.${output}`;
  }
}

const generation = /^v\d+$/;
const genericSegments: ReadonlySet<string> = new Set([
  "registry",
  "transfer-instruction",
  "metadata",
  "__understudy",
  "worlds",
]);

/** The method and the specific path segments. */
function idOf({ operation }: RecordedCall): string {
  if (operation.api === "control") return kebab(operation.operationId);
  const segments = operation.path.split("/").filter((part) => part !== "" && !part.startsWith("{"));
  const specific = segments.filter((part) => !generation.test(part) && !genericSegments.has(part));
  return [operation.method.toLowerCase(), ...specific.map(kebab)].join("-").replaceAll(/[^a-z0-9-]+/g, "-");
}
