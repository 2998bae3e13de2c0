import { Body } from "../../foundation/http/body.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import type { Handler } from "../../foundation/http/handler.ts";
import { mediaType } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Json, type JsonObject, jsonOf, textOfJson } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, withoutUndefined } from "../../foundation/json/members.ts";
import type { DescribedApi, SpecOperation } from "../../foundation/spec/operation.ts";
import { timestampOf } from "../../foundation/text/timestamp.ts";
import { string } from "./_reader.ts";
import { type BrokenCriterion, brokenCriterion, pointerOf } from "./conditions/criterion.ts";
import { type ExpressionScope, evaluate, requestExpressions, substitute } from "./conditions/expression.ts";
import { operationIdOf } from "./operation-id.ts";
import { payloadOf } from "./payload.ts";
import { stepOperations } from "./step-operations.ts";

/**
 * The result of a step. `not-run` is not a success: a step on the control API needs a stub. `handled` is a failure after
 * which a failure action went on.
 */
export interface StepResult {
  readonly stepId: string;
  readonly outcome: "passed" | "handled" | "failed" | "not-run";
  /** The condition that did not hold, with the actual value. */
  readonly reason: string | undefined;
  readonly exchange: Exchange | undefined;
  /** The section of the spec that the step's operation comes from. */
  readonly section: string | undefined;
  /** JSON pointer of the failed condition into the response; empty for the whole response. */
  readonly pointer: string;
  readonly outputs: JsonObject;
  /** The step with resolved references. */
  readonly step: JsonObject;
  /** What its expressions referred to. */
  readonly scope: ExpressionScope;
}

/** The target of a run; only a stub has a control API. */
export interface RunTarget {
  readonly handler: Handler;
  readonly hasControl: boolean;
  readonly nowMs: () => number;
}

/** What the expressions of a step refer to, beside its own request and response. */
export type StepScope = Omit<ExpressionScope, "request" | "response" | "responseJson" | "pathValues">;

/** Sends the request of a step, and checks its conditions. */
export async function runStep(step: JsonObject, values: StepScope, target: RunTarget): Promise<StepResult> {
  const stepId = textOf(step["stepId"]);
  const operation = operationOf(step);
  const before = { ...values, request: undefined, response: undefined, responseJson: undefined };
  const notSent = (outcome: "failed" | "not-run", reason: string) =>
    resultOf(step, before, { stepId, outcome, reason });
  if (operation === undefined) return notSent("failed", `unknown operation ${operationIdOf(step)}`);
  if (operation.api === "control" && !target.hasControl) return notSent("not-run", "the target has no control API");
  if (step["x-participant"] !== undefined && !target.hasControl)
    return notSent("not-run", "x-participant needs a stub with a control API");
  const missing = requestExpressions(step).find(({ expression }) => evaluate(expression, before) === undefined);
  if (missing !== undefined) {
    const reason = `the request was not sent: ${missing.expression} in ${missing.path.join(".")} has no value`;
    return notSent("failed", reason);
  }
  const section = operation.section === "" ? undefined : operation.section;
  const exchange = await send(requestOf(step, operation, before), target);
  const expected = textOf(step["x-broken"]);
  if (exchange.response.type === "broken" || expected !== "") {
    const actual = exchange.response.type === "broken" ? exchange.response.kind : "complete";
    const isExpected = actual === expected;
    const reason = isExpected ? undefined : `the response was ${actual}${expected === "" ? "" : `, not ${expected}`}`;
    const outcome = isExpected ? "passed" : "failed";
    return resultOf(step, before, { stepId, outcome, reason, exchange, section });
  }
  const { request, response } = exchange;
  const isJson = mediaType(response.headers) === "application/json";
  const pathValues = Object.fromEntries(parametersOf(step, "path", before));
  const scope = {
    ...before,
    request,
    response,
    pathValues,
    responseJson: isJson ? jsonOf(response.body.text()) : undefined,
  };
  return { ...judged(step, scope), exchange, section };
}

/** The result of a step whose response is known, or of one that called a workflow. */
export function judged(step: JsonObject, scope: ExpressionScope): StepResult {
  const values = outputsOf(step, scope);
  const broken =
    objectsOf(step["successCriteria"])
      .map((criterion) => brokenCriterion(criterion, scope))
      .find((found) => found !== undefined) ?? missingOutput(step, values);
  return resultOf(step, scope, {
    stepId: textOf(step["stepId"]),
    outcome: broken === undefined ? "passed" : "failed",
    reason: broken?.reason,
    pointer: broken?.pointer ?? "",
    outputs: withoutUndefined(values),
  });
}

/** A result; members that are not given are absent values. */
export function resultOf(
  step: JsonObject,
  scope: ExpressionScope,
  given: Pick<StepResult, "stepId" | "outcome"> & Partial<StepResult>,
): StepResult {
  const absent = { reason: undefined, exchange: undefined, section: undefined, pointer: "", outputs: {} };
  return { ...absent, ...given, step, scope };
}

/** The operation of a step; undefined for an unknown id. */
export function operationOf(step: JsonObject): SpecOperation<DescribedApi, string> | undefined {
  return stepOperations.get(operationIdOf(step));
}

async function send(request: Request, target: RunTarget): Promise<Exchange> {
  const startedMs = target.nowMs();
  const received = await target.handler(request);
  return {
    startedAt: timestampOf(startedMs),
    durationMs: target.nowMs() - startedMs,
    request,
    response: received,
  };
}

/** The request of a step, with expressions replaced by their values. */
export function requestOf(
  step: JsonObject,
  operation: SpecOperation<DescribedApi, string>,
  scope: ExpressionScope,
): Request {
  const given = (place: string) =>
    parametersOf(step, place, scope).flatMap(([name, value]) =>
      (place === "query" && Array.isArray(value) ? value : [value]).map(
        (one: Json) => [name, textOfJson(one)] as const,
      ),
    );
  const path = given("path").reduce(
    (template, [name, value]) => template.replace(`{${name}}`, () => encodeURIComponent(value)),
    operation.path,
  );
  const search = new URLSearchParams(given("query").map(([name, value]): [string, string] => [name, value])).toString();
  const cookies = given("cookie").map(([name, value]) => `${name}=${value}`);
  const contentType = string(objectOf(step["requestBody"])["contentType"], "application/json");
  const payload = payloadOf(objectOf(step["requestBody"]), contentType, scope);
  const participant = textOf(step["x-participant"]);
  const world = participant === "" ? [] : [["Understudy-World", participant] as const];
  const type = payload === "" ? [] : [["Content-Type", contentType] as const];
  const cookie = cookies.length === 0 ? [] : [["Cookie", cookies.join("; ")] as const];
  return {
    method: operation.method,
    target: search === "" ? path : `${path}?${search}`,
    headers: [...given("header"), ...cookie, ...world, ...type],
    body: new Body(payload),
  };
}

/** The values of a step's parameters in one location. */
function parametersOf(step: JsonObject, place: string, scope: ExpressionScope): readonly (readonly [string, Json])[] {
  return objectsOf(step["parameters"])
    .filter((parameter) => parameter["in"] === place)
    .map((parameter) => [textOf(parameter["name"]), substitute(parameter["value"] ?? null, scope)]);
}

function outputsOf(step: JsonObject, scope: ExpressionScope): Readonly<Record<string, Json | undefined>> {
  const named = Object.entries(objectOf(step["outputs"]));
  return Object.fromEntries(named.map(([name, expression]) => [name, evaluate(textOf(expression), scope)]));
}

/** The first output without a value. */
function missingOutput(
  step: JsonObject,
  values: Readonly<Record<string, Json | undefined>>,
): BrokenCriterion | undefined {
  const name = Object.keys(values).find((each) => values[each] === undefined);
  if (name === undefined) return undefined;
  const expression = textOf(objectOf(step["outputs"])[name]);
  return { reason: `the output ${name} has no value: ${expression} is missing`, pointer: pointerOf(expression) };
}
