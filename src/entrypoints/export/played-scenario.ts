import type { Exchange } from "../../foundation/http/exchange.ts";
import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import type { DescribedApi, SpecOperation } from "../../foundation/spec/operation.ts";
import type { ProfileNames } from "../../foundation/spec/spec.ts";
import type { Scenario } from "../../scenarios/files/load-scenario.ts";
import type { StepResult } from "../../scenarios/files/run-scenario.ts";
import { operationOf } from "../../scenarios/files/run-scenario.ts";

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
  /** The step in the scenario file. */
  readonly source: JsonObject;
  readonly exchange: Exchange;
  /** Virtual time when it was sent, in milliseconds since the epoch. */
  readonly atMs: number;
}

/** A step's result with the virtual time at which it was sent. */
export interface TimedResult {
  readonly result: StepResult;
  readonly atMs: number;
}

/** The steps that were sent, each with its source in the scenario. */
export function playedSteps(workflow: JsonObject, results: readonly TimedResult[]): readonly PlayedStep[] {
  const sources = Array.isArray(workflow["steps"]) ? workflow["steps"] : [];
  return results.flatMap(({ result, atMs }, index) => {
    const source: Json | undefined = sources[index];
    const operation = isJsonObject(source) ? operationOf(source) : undefined;
    if (!isJsonObject(source) || operation === undefined || result.exchange === undefined) return [];
    const description = typeof source["description"] === "string" ? source["description"] : "";
    return [{ stepId: result.stepId, description, operation, source, exchange: result.exchange, atMs }];
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
