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
import { type BrokenCriterion, brokenCriterion, pointerOf } from "./criterion.ts";
import { type ExpressionScope, evaluate, requestExpressions, substitute } from "./expression.ts";
import type { Scenario } from "./load-scenario.ts";
import { operationIdOf } from "./operation-id.ts";
import { stepOperations } from "./step-operations.ts";

/** The result of a step. `not-run` is not a success: a step on the control API needs a stub. */
export interface StepResult {
  readonly stepId: string;
  readonly outcome: "passed" | "failed" | "not-run";
  /** The condition that did not hold, with the actual value. */
  readonly reason: string | undefined;
  readonly exchange: Exchange | undefined;
  /** The section of the spec that the step's operation comes from. */
  readonly section: string | undefined;
  /** JSON pointer of the failed condition into the response; empty for the whole response. */
  readonly pointer: string;
}

/** The target of a run; only a stub has a control API. */
interface RunTarget {
  readonly handler: Handler;
  readonly hasControl: boolean;
  readonly nowMs: () => number;
}

/** Runs the steps of a scenario in order and stops after the first that fails. */
export async function runScenario(scenario: Scenario, target: RunTarget): Promise<readonly StepResult[]> {
  const results: StepResult[] = [];
  const outputs = new Map<string, Readonly<Record<string, Json>>>();
  for (const step of objectsOf(scenario.workflow["steps"])) {
    const result = await runStep(step, outputs, target);
    results.push(result);
    if (result.outcome !== "passed") break;
  }
  return results;
}

/** Runs one step; its outputs are added to those of the steps before it. */
export async function runStep(
  step: JsonObject,
  outputs: Map<string, Readonly<Record<string, Json>>>,
  target: RunTarget,
): Promise<StepResult> {
  const stepId = textOf(step["stepId"]);
  const operation = operationOf(step);
  if (operation === undefined) return notSent(stepId, "failed", `unknown operation ${operationIdOf(step)}`);
  if (operation.api === "control" && !target.hasControl)
    return notSent(stepId, "not-run", "the target has no control API");
  if (step["x-participant"] !== undefined && !target.hasControl)
    return notSent(stepId, "not-run", "x-participant needs a stub with a control API");
  const before: ExpressionScope = {
    request: undefined,
    response: undefined,
    responseJson: undefined,
    outputs,
  };
  const missing = requestExpressions(step).find(({ expression }) => evaluate(expression, before) === undefined);
  if (missing !== undefined)
    return notSent(
      stepId,
      "failed",
      `the request was not sent: ${missing.expression} in ${missing.path.join(".")} has no value`,
    );
  const section = operation.section === "" ? undefined : operation.section;
  const exchange = await send(requestOf(step, operation, before), target);
  const expected = textOf(step["x-broken"]);
  if (exchange.response.type === "broken" || expected !== "") {
    const actual = exchange.response.type === "broken" ? exchange.response.kind : "complete";
    const isExpected = actual === expected;
    const reason = isExpected ? undefined : `the response was ${actual}${expected === "" ? "" : `, not ${expected}`}`;
    return { stepId, outcome: isExpected ? "passed" : "failed", reason, exchange, section, pointer: "" };
  }
  const scope = {
    ...before,
    request: exchange.request,
    response: exchange.response,
    responseJson:
      mediaType(exchange.response.headers) === "application/json" ? jsonOf(exchange.response.body.text()) : undefined,
  };
  const values = outputsOf(step, scope);
  outputs.set(stepId, withoutUndefined(values));
  const broken =
    objectsOf(step["successCriteria"])
      .map((criterion) => brokenCriterion(criterion, scope))
      .find((found) => found !== undefined) ?? missingOutput(step, values);
  return {
    stepId,
    outcome: broken === undefined ? "passed" : "failed",
    reason: broken?.reason,
    exchange,
    section,
    pointer: broken?.pointer ?? "",
  };
}

/** The operation of a step; undefined for an unknown id. */
export function operationOf(step: JsonObject): SpecOperation<DescribedApi, string> | undefined {
  return stepOperations.get(operationIdOf(step));
}

function notSent(stepId: string, outcome: "failed" | "not-run", reason: string): StepResult {
  return { stepId, outcome, reason, exchange: undefined, section: undefined, pointer: "" };
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
  const parameters = objectsOf(step["parameters"]).map((parameter) => ({
    name: textOf(parameter["name"]),
    in: textOf(parameter["in"]),
    value: substitute(parameter["value"] ?? null, scope),
  }));
  const given = (place: string) =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, value }) => [name, textOfJson(value)] as const);
  const path = given("path").reduce(
    (template, [name, value]) => template.replace(`{${name}}`, () => encodeURIComponent(value)),
    operation.path,
  );
  const search = new URLSearchParams(given("query").map(([name, value]): [string, string] => [name, value])).toString();
  const body = objectOf(step["requestBody"]);
  const payload = body["payload"] === undefined ? "" : textOfJson(substitute(body["payload"], scope));
  const participant = textOf(step["x-participant"]);
  const world = participant === "" ? [] : [["Understudy-World", participant] as const];
  const type = payload === "" ? [] : [["Content-Type", string(body["contentType"], "application/json")] as const];
  return {
    method: operation.method,
    target: search === "" ? path : `${path}?${search}`,
    headers: [...given("header"), ...world, ...type],
    body: new Body(payload),
  };
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
