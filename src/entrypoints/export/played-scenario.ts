import type { Exchange } from "../../foundation/http/exchange.ts";
import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import type { DescribedApi, SpecOperation } from "../../foundation/spec/operation.ts";
import type { ProfileNames } from "../../foundation/spec/spec.ts";
import type { Scenario } from "../../scenarios/files/load-scenario.ts";
import type { StepResult } from "../../scenarios/files/run-scenario.ts";
import { operationOf } from "../../scenarios/files/run-scenario.ts";

/** A scenario with what came of each of its steps; what every rendering is made of. */
export interface PlayedScenario {
  readonly title: string;
  readonly description: string;
  /** The file as whoever reads the rendering names it. */
  readonly file: string;
  readonly profile: ProfileNames;
  /** What the scenario says of its world: `x-understudy` of its workflow. */
  readonly world: JsonObject;
  readonly startMs: number;
  readonly scenario: Scenario;
  readonly results: readonly StepResult[];
  readonly steps: readonly PlayedStep[];
  /** The version of whoever played it. */
  readonly version: string;
}

export interface PlayedStep {
  readonly stepId: string;
  readonly description: string;
  readonly operation: SpecOperation<DescribedApi>;
  /** The step as it stands in the scenario. */
  readonly document: JsonObject;
  readonly exchange: Exchange;
  /** Virtual time when it was sent, in milliseconds since the epoch. */
  readonly atMs: number;
}

/** A step's result with the virtual time at which it was sent. */
export interface TimedResult {
  readonly result: StepResult;
  readonly atMs: number;
}

/** The steps that were sent, each with its place in the scenario. */
export function playedSteps(workflow: JsonObject, results: readonly TimedResult[]): readonly PlayedStep[] {
  const documents = Array.isArray(workflow["steps"]) ? workflow["steps"] : [];
  return results.flatMap(({ result, atMs }, index) => {
    const document: Json | undefined = documents[index];
    const operation = isJsonObject(document) ? operationOf(document) : undefined;
    if (!isJsonObject(document) || operation === undefined || result.exchange === undefined) return [];
    const description = typeof document["description"] === "string" ? document["description"] : "";
    return [{ stepId: result.stepId, description, operation, document, exchange: result.exchange, atMs }];
  });
}

/** What the criteria of a step say, as they stand in the scenario. */
export function conditionsOf({ document }: PlayedStep): readonly string[] {
  const criteria = Array.isArray(document["successCriteria"]) ? document["successCriteria"] : [];
  const conditions = criteria.flatMap((criterion: Json) => {
    if (!isJsonObject(criterion)) return [];
    const [condition, context] = [String(criterion["condition"] ?? ""), criterion["context"]];
    return [typeof context === "string" ? `${context} matches ${condition}` : condition];
  });
  const broken = document["x-broken"];
  return typeof broken === "string" ? [...conditions, `the response is ${broken}`] : conditions;
}
