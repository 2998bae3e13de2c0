import { jsonpath } from "json-p3";
import type { JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf } from "../../foundation/json/members.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import { expressionsIn, holds } from "./condition.ts";
import { criterionType } from "./criterion-type.ts";
import { expressionProblem } from "./expression.ts";
import { operationIdOf, sourceDescriptionOf } from "./operation-id.ts";
import { type Problem, problemAt } from "./problem.ts";
import type { SourceFile } from "./source-file.ts";

const nothing = { request: undefined, response: undefined, responseJson: undefined, outputs: new Map() };

/** Problems of the workflow's steps: duplicate ids, unknown operations and invalid conditions. */
export function checkSteps(
  source: SourceFile,
  workflow: JsonObject,
  operationIds: readonly string[],
): readonly Problem[] {
  const ids = objectsOf(workflow["steps"]).map((step) => textOf(step["stepId"]));
  const sources = objectsOf(objectOf(source.value)["sourceDescriptions"]).map((entry) => textOf(entry["name"]));
  return objectsOf(workflow["steps"]).flatMap((step, index) => {
    const path = ["workflows", 0, "steps", index];
    const twice =
      ids.indexOf(ids[index] ?? "") === index
        ? []
        : [
            problemAt(
              source,
              [...path, "stepId"],
              `duplicate step id ${JSON.stringify(ids[index])}`,
              "Use a name only once.",
            ),
          ];
    const described = sourceDescriptionOf(step);
    const undescribed =
      described === undefined || sources.length === 0 || sources.includes(described)
        ? []
        : [
            problemAt(
              source,
              [...path, "operationId"],
              `unknown source description ${JSON.stringify(described)}`,
              advise(described, sources),
            ),
          ];
    const operationId = operationIdOf(step);
    const misnamed = operationIds.includes(operationId)
      ? []
      : [
          problemAt(
            source,
            [...path, "operationId"],
            `the step ${JSON.stringify(textOf(step["stepId"]))} calls the unknown operation ${JSON.stringify(operationId)}`,
            advise(operationId, operationIds, "The API descriptions in contracts/ list all."),
          ),
        ];
    const misread = objectsOf(step["successCriteria"]).flatMap((criterion, place) => {
      const problem = conditionProblem(criterion);
      const at = [...path, "successCriteria", place, "condition"];
      return problem === undefined ? [] : [problemAt(source, at, problem, "See Arazzo 1.0.1, criterion object.")];
    });
    return [...twice, ...undescribed, ...misnamed, ...misread];
  });
}

/** Problems of steps that name a participant which the scenario does not have. */
export function checkStepParticipants(source: SourceFile, workflow: JsonObject): readonly Problem[] {
  const given = objectOf(objectOf(workflow["x-understudy"])["given"]);
  const names = Object.keys(objectOf(given["participants"]));
  return objectsOf(workflow["steps"]).flatMap((step, index) => {
    const value = step["x-participant"];
    if (value === undefined || (typeof value === "string" && names.includes(value))) return [];
    const problem = `unknown participant ${JSON.stringify(value)}`;
    const advice =
      names.length === 0 ? "Add it to given.participants with its ledger fixture." : advise(textOf(value), names);
    return [problemAt(source, ["workflows", 0, "steps", index, "x-participant"], problem, advice)];
  });
}

const shownLengthMax = 200;

function conditionProblem(criterion: JsonObject): string | undefined {
  const condition = textOf(criterion["condition"]);
  const type = criterionType(criterion);
  try {
    // A pattern that is too large fails at its first use, not before.
    if (type === "simple") {
      holds(condition, nothing);
      return expressionsIn(condition)
        .map(expressionProblem)
        .find((problem) => problem !== undefined);
    }
    if (type === "regex") RegExp(condition, "u").test("");
    else if (type === "jsonpath") jsonpath.compile(condition);
    else return `criteria of type ${JSON.stringify(type)} are not supported; use simple, regex or jsonpath`;
    return expressionProblem(textOf(criterion["context"]));
  } catch (error) {
    return `the condition ${JSON.stringify(condition.slice(0, shownLengthMax))} is not valid: ${error instanceof Error ? error.message : String(error)}`;
  }
}
