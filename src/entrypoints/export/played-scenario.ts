import type { Exchange } from "../../foundation/http/exchange.ts";
import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { textOf } from "../../foundation/json/members.ts";
import type { DescribedApi, SpecOperation } from "../../foundation/spec/operation.ts";
import type { ProfileNames } from "../../foundation/spec/spec.ts";
import type { ExpressionScope } from "../../scenarios/files/conditions/expression.ts";
import type { Scenario } from "../../scenarios/files/load-scenario.ts";
import { operationOf, type StepResult } from "../../scenarios/files/run-step.ts";

/** A scenario with the results of its steps: the input of each renderer. */
export interface PlayedScenario {
  readonly title: string;
  readonly description: string;
  /** Path of the scenario file, as the export shows it. */
  readonly file: string;
  readonly profile: ProfileNames;
  /** Initial state and plan: `x-understudy` of the workflow. */
  readonly world: JsonObject;
  readonly startMs: number;
  readonly scenario: Scenario;
  readonly results: readonly StepResult[];
  readonly steps: readonly PlayedStep[];
  /** Version of Understudy. */
  readonly version: string;
}

export interface PlayedStep {
  readonly stepId: string;
  readonly description: string;
  readonly operation: SpecOperation<DescribedApi, string>;
  /** The step in the scenario file, with resolved references. */
  readonly source: JsonObject;
  /** What its expressions referred to. */
  readonly scope: ExpressionScope;
  readonly exchange: Exchange;
  /** Virtual time when it was sent, in milliseconds since the epoch. */
  readonly atMs: number;
}

/** The steps that were sent, each with its source in the scenario. */
export function playedSteps(results: readonly StepResult[]): readonly PlayedStep[] {
  return results.flatMap(({ stepId, step: source, scope, exchange }) => {
    const operation = operationOf(source);
    if (operation === undefined || exchange === undefined) return [];
    const atMs = Date.parse(exchange.startedAt);
    return [{ stepId, description: textOf(source["description"]), operation, source, scope, exchange, atMs }];
  });
}

/** The success criteria of a step as text. */
export function conditionsOf({ source }: PlayedStep): readonly string[] {
  const criteria = Array.isArray(source["successCriteria"]) ? source["successCriteria"] : [];
  const conditions = criteria.flatMap((criterion: Json) => {
    if (!isJsonObject(criterion)) return [];
    const [condition, context] = [String(criterion["condition"] ?? ""), criterion["context"]];
    return [typeof context === "string" ? `${context} matches ${condition}` : condition];
  });
  const broken = source["x-broken"];
  return typeof broken === "string" ? [...conditions, `the response is ${broken}`] : conditions;
}
