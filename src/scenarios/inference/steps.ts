import { headerValues } from "../../foundation/http/header.ts";
import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { objectOf, textOf } from "../../foundation/json/members.ts";
import { parameterNames } from "../files/check-parameters.ts";
import { freeName, kebab } from "./_names.ts";
import type { Call } from "./call.ts";
import { References, type Source } from "./references.ts";
import { SeenTokens } from "./tokens.ts";

/** A call as a step of a scenario, without success criteria. */
export interface DraftStep {
  readonly call: Call;
  readonly stepId: string;
  readonly json: JsonObject;
  /** Expressions that later steps refer to, by name. */
  readonly outputs: Map<string, string>;
}

/** Every call as a step. A value that an earlier response gave becomes a reference to that response. */
export function stepsOf(calls: readonly Call[]): readonly DraftStep[] {
  const references = new References();
  const tokens = new SeenTokens();
  const ids = new Set<string>();
  const steps: DraftStep[] = [];
  for (const [place, call] of calls.entries()) {
    const refer = (source: Source): string => referenceTo(steps[source.place], source);
    const stepId = freeName(idOf(call), ids);
    ids.add(stepId);
    steps.push({ call, stepId, json: stepJson(call, { references, refer, tokens }), outputs: new Map() });
    references.note(place, call);
  }
  return steps;
}

interface StepContext {
  readonly references: References;
  readonly refer: (source: Source) => string;
  readonly tokens: SeenTokens;
}

function stepJson(call: Call, context: StepContext): JsonObject {
  const { operation, exchange } = call;
  const { references, refer, tokens } = context;
  const source =
    operation.api === "control" ? "control" : operation.isAdditional ? "additionalOperations" : operation.api;
  const named = (text: string): string => {
    const found = references.of(text);
    return found === undefined ? text : refer(found);
  };
  const token = operation.isPublic
    ? undefined
    : tokens.written(exchange.request.headers, call.status, call.responseText);
  const accept = headerValues(exchange.request.headers, "accept")[0];
  const parameters: readonly JsonObject[] = [
    ...Object.entries(call.path).map(([name, value]) => ({ name, in: "path", value: named(value) })),
    ...call.query.map(([name, value]) => ({
      ...{ name, in: "query", value: numberOr(named(value)) },
      ...(parameterNames(operation, "query").includes(name) ? {} : { "x-unknown": true }),
    })),
    ...(token === undefined ? [] : [{ name: "Authorization", in: "header", value: token }]),
    ...(accept === undefined || /json|\*\/\*/i.test(accept) ? [] : [{ name: "Accept", in: "header", value: accept }]),
  ];
  return {
    description: `${operation.method} ${operation.path}`,
    operationId: `$sourceDescriptions.${source}.${operation.operationId}`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(call, context),
  };
}

/** Small numbers are written without quotes for readability; the request is the same. */
function numberOr(text: string): Json {
  return /^(?:0|-?[1-9]\d{0,8})$/.test(text) ? Number(text) : text;
}

function requestBody({ body, requestText, exchange }: Call, { references, refer }: StepContext): JsonObject {
  if (requestText === "") return {};
  const contentType = headerValues(exchange.request.headers, "content-type")[0] ?? "application/json";
  const isRaw = body === undefined || typeof body !== "object" || body === null || !isWritable(body);
  const payload: Json = isRaw ? requestText : written(body);
  return { requestBody: { contentType, payload } };

  function written(root: Json): Json {
    return rewritten(root, [], (value, path) => {
      if (typeof value === "string") {
        const found = isVersion(path) ? references.ofVersion(userIdIn(root), value) : references.of(value);
        return found === undefined ? value : refer(found);
      }
      const found = typeof value === "number" ? references.ofOffset(value, path) : undefined;
      return found === undefined ? value : refer(found);
    });
  }
}

function isVersion(path: readonly string[]): boolean {
  return path.join("/") === "user/metadata/resourceVersion";
}

function userIdIn(body: Json): string {
  return textOf(objectOf(objectOf(body)["user"])["id"]);
}

function rewritten(value: Json, path: readonly string[], leaf: (value: Json, path: readonly string[]) => Json): Json {
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
function idOf({ operation }: Call): string {
  if (operation.api === "control") return kebab(operation.operationId);
  const segments = operation.path.split("/").filter((part) => part !== "" && !part.startsWith("{"));
  const specific = segments.filter((part) => !generation.test(part) && !genericSegments.has(part));
  return [operation.method.toLowerCase(), ...specific.map(kebab)].join("-").replaceAll(/[^a-z0-9-]+/g, "-");
}
