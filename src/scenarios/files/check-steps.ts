import { jsonpath } from "json-p3";
import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf } from "../../foundation/json/members.ts";
import { advise, suggestion } from "../../foundation/text/suggestion.ts";
import { holds } from "./conditions/condition.ts";
import { criterionType } from "./conditions/criterion-type.ts";
import { patternOf } from "./conditions/pattern-of.ts";
import { operationIdOf, sourceDescriptionOf } from "./operation-id.ts";
import { type Problem, problemAt } from "./problem.ts";
import type { SourceFile, ValuePath } from "./source-file.ts";
import { actionLists, type Workflow } from "./workflow.ts";

const nothing = { request: undefined, response: undefined, responseJson: undefined, outputs: new Map() };

/** Problems of the workflow's steps: duplicate ids, unknown operations and invalid conditions. */
export function checkSteps(workflow: Workflow, operationIds: readonly string[]): readonly Problem[] {
  const { source } = workflow.document;
  const ids = objectsOf(workflow.value["steps"]).map((step) => textOf(step["stepId"]));
  const sources = objectsOf(objectOf(source.value)["sourceDescriptions"]).map((entry) => textOf(entry["name"]));
  return objectsOf(workflow.value["steps"]).flatMap((step, index) => {
    const path = [...workflow.path, "steps", index];
    const found: Problem[] = [];
    const report = (member: string, problem: string, advice: string) =>
      found.push(problemAt(source, [...path, member], problem, advice));
    const stepId = JSON.stringify(ids[index]);
    if (ids.indexOf(ids[index] ?? "") !== index)
      report("stepId", `duplicate step id ${stepId}`, "Use a name only once.");
    const described = sourceDescriptionOf(step);
    const member = step["operationPath"] === undefined ? "operationId" : "operationPath";
    if (described !== undefined && sources.length > 0 && !sources.includes(described))
      report(member, `unknown source description ${JSON.stringify(described)}`, advise(described, sources));
    const operationId = operationIdOf(step);
    const targets = ["operationId", "operationPath", "workflowId"].filter((each) => step[each] !== undefined);
    if (targets.length === 0 || (targets.length > 1 && step["workflowId"] !== undefined))
      report(
        "stepId",
        `the step ${stepId} has ${targets.join(" and ") || "no target"}`,
        "Give it one of operationId, operationPath and workflowId.",
      );
    else if (step["workflowId"] === undefined && !operationIds.includes(operationId)) {
      const problem = `the step ${stepId} calls the unknown operation ${JSON.stringify(operationId)}`;
      report(member, problem, advise(operationId, operationIds, "The API descriptions in contracts/ list all."));
    }
    const misread = criteriaOf(step).flatMap(([at, criterion]) =>
      criterionProblems(source, [...path, ...at], criterion),
    );
    return [...found, ...misread, ...extensionProblems(source, path, step)];
  });
}

/** Problems of steps that name a participant which the scenario does not have. */
export function checkStepParticipants(workflow: Workflow, extension: SourceFile): readonly Problem[] {
  const given = objectOf(objectOf(extension.value)["given"]);
  const names = Object.keys(objectOf(given["participants"]));
  const { source } = workflow.document;
  return objectsOf(workflow.value["steps"]).flatMap((step, index) => {
    const value = step["x-participant"];
    if (value === undefined || (typeof value === "string" && names.includes(value))) return [];
    const problem = `unknown participant ${JSON.stringify(value)}`;
    const advice =
      names.length === 0 ? "Add it to given.participants with its ledger fixture." : advise(textOf(value), names);
    return [problemAt(source, [...workflow.path, "steps", index, "x-participant"], problem, advice)];
  });
}

/** Extensions of a step that Understudy reads. */
const extensions = ["x-broken", "x-participant"];

/** Problems of extensions: a misspelt name, and members without effect. Others are of other tools. */
function extensionProblems(source: SourceFile, path: ValuePath, step: JsonObject): readonly Problem[] {
  const misspelt = Object.keys(step).flatMap((name) => {
    const near = name.startsWith("x-") && !extensions.includes(name) ? suggestion(name, extensions) : undefined;
    if (near === undefined) return [];
    const place = { file: source.name, ...source.placeOf([...path, name], "name") };
    return [{ ...place, problem: `unknown extension ${JSON.stringify(name)}`, advice: `Did you mean "${near}"?` }];
  });
  const unread = ["successCriteria", "outputs"].filter(
    (member) => step["x-broken"] !== undefined && step[member] !== undefined,
  );
  return [
    ...misspelt,
    ...unread.map((member) => {
      const problem = `the step has x-broken, so its ${member} are not read`;
      return problemAt(source, [...path, member], problem, "Remove one of the two.");
    }),
  ];
}

const shownLengthMax = 200;
const criterionTypes = ["simple", "regex", "jsonpath"];

/** The criteria of a step and of its actions, with their paths in the step. */
export function criteriaOf(step: JsonObject): readonly (readonly [path: ValuePath, criterion: JsonObject])[] {
  const listed = (around: ValuePath, list: Json | undefined) =>
    objectsOf(list).map((criterion, index) => [[...around, index], criterion] as const);
  return [
    ...listed(["successCriteria"], step["successCriteria"]),
    ...actionLists.flatMap((list) =>
      objectsOf(step[list]).flatMap((action, index) => listed([list, index, "criteria"], action["criteria"])),
    ),
  ];
}

/** Problems of a criterion but those of its expressions. */
function criterionProblems(source: SourceFile, path: ValuePath, criterion: JsonObject): readonly Problem[] {
  const type = criterionType(criterion);
  if (!criterionTypes.includes(type)) {
    const isXpath = type === "xpath";
    const problem = isXpath
      ? "criteria of type xpath are valid Arazzo, but not supported here"
      : `criteria of type ${JSON.stringify(type)} are not supported`;
    const advice = isXpath ? "Responses are JSON: use jsonpath." : advise(type, criterionTypes);
    return [problemAt(source, [...path, "type"], problem, advice)];
  }
  const misread = conditionProblem(type, textOf(criterion["condition"]));
  const hasContext = type === "simple" || textOf(criterion["context"]) !== "";
  const problem = `a criterion of type ${type} needs a context`;
  return [
    ...(misread === undefined
      ? []
      : [problemAt(source, [...path, "condition"], misread, "See Arazzo 1.0.1, criterion object.")]),
    ...(hasContext ? [] : [problemAt(source, path, problem, "Add it, such as context: $response.body.")]),
  ];
}

function conditionProblem(type: string, condition: string): string | undefined {
  try {
    // A pattern that is too large fails at its first use, not before.
    if (type === "simple") holds(condition, nothing);
    else if (type === "regex") patternOf(condition).test("");
    else jsonpath.compile(condition);
    return undefined;
  } catch (error) {
    return `the condition ${JSON.stringify(condition.slice(0, shownLengthMax))} is not valid: ${error instanceof Error ? error.message : String(error)}`;
  }
}
