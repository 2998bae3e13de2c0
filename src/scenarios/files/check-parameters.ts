import type { JsonObject } from "../../foundation/json/json.ts";
import { objectsOf, textOf } from "../../foundation/json/members.ts";
import type { DescribedApi, SpecOperation } from "../../foundation/spec/operation.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import { operationIdOf } from "./operation-id.ts";
import { type Problem, problemAt } from "./problem.ts";
import type { SourceFile, ValuePath } from "./source-file.ts";
import { stepOperations } from "./step-operations.ts";
import type { Workflow } from "./workflow.ts";

type StepOperation = SpecOperation<DescribedApi, string>;
type Place = "path" | "query";

/** The parameters of an operation in its path, or in its query. Steps mark another one of a query with `x-unknown`. */
export function parameterNames({ path, parameters }: StepOperation, place: Place): readonly string[] {
  if (place === "path") return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => name);
  return parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
}

/** Problems of steps that send a parameter which their operation does not have, or lack one of its path. */
export function checkStepParameters(workflow: Workflow): readonly Problem[] {
  const { source } = workflow.document;
  return objectsOf(workflow.value["steps"]).flatMap((step, index) => {
    const operation = stepOperations.get(operationIdOf(step));
    if (operation === undefined) return [];
    const path = [...workflow.path, "steps", index];
    const unknown = unknownParameters(source, [...path, "parameters"], step, operation);
    return unknown.length > 0 ? unknown : missingParameters(source, path, step, operation);
  });
}

const onPurpose: Readonly<Record<Place, string>> = { path: "", query: " To send it on purpose, add x-unknown: true." };

function unknownParameters(
  source: SourceFile,
  path: ValuePath,
  step: JsonObject,
  operation: StepOperation,
): readonly Problem[] {
  return objectsOf(step["parameters"]).flatMap((parameter, index) => {
    const [place, name] = [textOf(parameter["in"]), textOf(parameter["name"])];
    if ((place !== "path" && place !== "query") || parameter["x-unknown"] === true) return [];
    const known = parameterNames(operation, place);
    if (known.includes(name)) return [];
    const problem = `the step ${stepText(step)} sends the unknown ${place} parameter ${JSON.stringify(name)}`;
    const advice = known.length === 0 ? `${operation.operationId} has none.` : advise(name, known);
    return [problemAt(source, [...path, index, "name"], problem, `${advice}${onPurpose[place]}`)];
  });
}

function missingParameters(
  source: SourceFile,
  path: ValuePath,
  step: JsonObject,
  operation: StepOperation,
): readonly Problem[] {
  const given = objectsOf(step["parameters"]).filter((parameter) => parameter["in"] === "path");
  return parameterNames(operation, "path")
    .filter((name) => !given.some((parameter) => parameter["name"] === name))
    .map((name) => {
      const problem = `the step ${stepText(step)} has no value for the path parameter ${JSON.stringify(name)}`;
      return problemAt(source, path, problem, `Add { name: ${name}, in: path, value: … } to its parameters.`);
    });
}

function stepText(step: JsonObject): string {
  return JSON.stringify(textOf(step["stepId"]));
}
