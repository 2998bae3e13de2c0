import type { JsonObject } from "../../foundation/json/json.ts";
import { objectsOf, textOf, textsOf } from "../../foundation/json/members.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import { checkExpressions } from "./check-expressions.ts";
import { checkStepParameters } from "./check-parameters.ts";
import { checkSteps } from "./check-steps.ts";
import { type Problem, problemAt } from "./problem.ts";
import { stepOperations } from "./step-operations.ts";
import {
  type ArazzoDocument,
  actionLists,
  namedWorkflows,
  type Workflow,
  workflowNamed,
  workflowNames,
} from "./workflow.ts";

/** Problems of the workflows of a document and of their steps. */
export function workflowProblems({ workflows }: ArazzoDocument): readonly Problem[] {
  const operationIds = [...stepOperations.keys()];
  return workflows.flatMap((workflow, index) => [
    ...duplicate(workflow, workflows.slice(0, index)),
    ...unknownWorkflows(workflow),
    ...dependencyCircle(workflow),
    ...objectsOf(workflow.value["steps"]).flatMap((step, place) => actionProblems(workflow, step, place)),
    ...checkSteps(workflow, operationIds),
    ...checkStepParameters(workflow),
    ...checkExpressions(workflow),
  ]);
}

function duplicate({ id, document, path }: Workflow, earlier: readonly Workflow[]): readonly Problem[] {
  if (!earlier.some((other) => other.id === id)) return [];
  const problem = `duplicate workflow id ${JSON.stringify(id)}`;
  return [problemAt(document.source, [...path, "workflowId"], problem, "Use a name only once.")];
}

function unknownWorkflows(workflow: Workflow): readonly Problem[] {
  const { document, path } = workflow;
  return namedWorkflows(workflow)
    .filter(([, name]) => workflowNamed(document, name) === undefined)
    .map(([place, name]) => {
      const problem = `unknown workflow ${JSON.stringify(name)}`;
      return problemAt(document.source, [...path, ...place], problem, advise(name, workflowNames(document)));
    });
}

/** A problem of a workflow that has to end before it begins. */
function dependencyCircle(workflow: Workflow): readonly Problem[] {
  const needed = new Set<Workflow>();
  const visit = ({ document, value }: Workflow) => {
    for (const name of textsOf(value["dependsOn"])) {
      const other = workflowNamed(document, name);
      if (other === undefined || needed.has(other)) continue;
      needed.add(other);
      visit(other);
    }
  };
  visit(workflow);
  if (!needed.has(workflow)) return [];
  const problem = `the workflow ${JSON.stringify(workflow.id)} depends on itself`;
  const advice = "Remove one of the workflows of the circle from dependsOn.";
  return [problemAt(workflow.document.source, [...workflow.path, "dependsOn"], problem, advice)];
}

function actionProblems(workflow: Workflow, step: JsonObject, place: number): readonly Problem[] {
  const stepIds = objectsOf(workflow.value["steps"]).map((each) => textOf(each["stepId"]));
  return actionLists.flatMap((list) =>
    objectsOf(step[list]).flatMap((action, index) => {
      // A reference that names no component is a problem of its own.
      if (action["type"] === undefined) return [];
      const at = [...workflow.path, "steps", place, list, index];
      const reported = (problem: string, advice: string) => [
        problemAt(
          workflow.document.source,
          at,
          `the action ${JSON.stringify(textOf(action["name"]))} ${problem}`,
          advice,
        ),
      ];
      const types = list === "onSuccess" ? ["end", "goto"] : ["end", "goto", "retry"];
      const type = textOf(action["type"]);
      if (!types.includes(type)) return reported(`has the type ${JSON.stringify(type)}`, advise(type, types));
      const targets = ["stepId", "workflowId"].filter((member) => action[member] !== undefined);
      if (targets.length > 1 || (type === "goto" && targets.length === 0))
        return reported(`has ${targets.join(" and ") || "no target"}`, "Give it one of stepId and workflowId.");
      const stepId = textOf(action["stepId"]);
      if (action["stepId"] === undefined || stepIds.includes(stepId)) return [];
      return reported(`names the unknown step ${JSON.stringify(stepId)}`, advise(stepId, stepIds));
    }),
  );
}
