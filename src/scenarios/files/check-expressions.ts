import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf } from "../../foundation/json/members.ts";
import { advise, suggestion } from "../../foundation/text/suggestion.ts";
import { criteriaOf } from "./check-steps.ts";
import { expressionsIn } from "./conditions/condition.ts";
import { criterionType } from "./conditions/criterion-type.ts";
import { isExpression, type PlacedExpression, requestExpressions } from "./conditions/expression.ts";
import { type Problem, type ProblemText, problemAt } from "./problem.ts";
import type { ValuePath } from "./source-file.ts";
import { actionLists, type Workflow, workflowNamed } from "./workflow.ts";
import { inputsSchema } from "./workflow-inputs.ts";

/** Where an expression is, and what has a value there. */
interface Position {
  readonly step: string | undefined;
  /** Whether the response of the step is known. */
  readonly isAfterResponse: boolean;
  /** The names of outputs by the steps before. */
  readonly outputs: ReadonlyMap<string, readonly string[]>;
  readonly stepIds: ReadonlySet<string>;
  readonly workflow: Workflow;
  /** The workflow that the step calls. */
  readonly called: Workflow | undefined;
}

type Surroundings = Pick<Position, "step" | "isAfterResponse" | "called">;

/** Problems of runtime expressions that can have no value: in requests, criteria, outputs, and outputs of the workflow. */
export function checkExpressions(workflow: Workflow): readonly Problem[] {
  const { source } = workflow.document;
  const steps = objectsOf(workflow.value["steps"]);
  const stepIds = new Set(steps.map((step) => textOf(step["stepId"])));
  const outputs = new Map(
    hasJump(steps) ? steps.map((step) => [textOf(step["stepId"]), outputNames(workflow, step)]) : [],
  );
  const problems: Problem[] = [];
  const check = (placed: readonly PlacedExpression[], around: ValuePath, at: Surroundings) => {
    for (const { expression, path } of placed) {
      const found = expressionProblem(expression, { ...at, outputs, stepIds, workflow });
      if (found !== undefined) problems.push(problemAt(source, [...around, ...path], found.problem, found.advice));
    }
  };
  for (const [index, step] of steps.entries()) {
    const around = [...workflow.path, "steps", index];
    const stepId = textOf(step["stepId"]);
    const called = calledBy(workflow, step);
    check(requestExpressions(step), around, { step: stepId, isAfterResponse: false, called });
    const placed = [...criterionExpressions(step), ...outputExpressions(step["outputs"])];
    check(placed, around, { step: stepId, isAfterResponse: true, called });
    if (!outputs.has(stepId)) outputs.set(stepId, outputNames(workflow, step));
  }
  const ofWorkflow = { step: undefined, isAfterResponse: false, called: workflow };
  check(outputExpressions(workflow.value["outputs"]), workflow.path, ofWorkflow);
  return problems;
}

/** Whether an action changes the order of steps. */
function hasJump(steps: readonly JsonObject[]): boolean {
  return steps.some((step) =>
    actionLists.some((list) => objectsOf(step[list]).some(({ stepId }) => stepId !== undefined)),
  );
}

function calledBy({ document }: Workflow, step: JsonObject): Workflow | undefined {
  return step["workflowId"] === undefined ? undefined : workflowNamed(document, textOf(step["workflowId"]));
}

/** The outputs of a step; one that calls a workflow has its outputs too. */
function outputNames(workflow: Workflow, step: JsonObject): readonly string[] {
  const called = calledBy(workflow, step);
  return [...Object.keys(objectOf(step["outputs"])), ...Object.keys(objectOf(called?.value["outputs"]))];
}

/** The expressions of the criteria. A condition that is not well formed has none. */
function criterionExpressions(step: JsonObject): readonly PlacedExpression[] {
  return criteriaOf(step).flatMap(([path, criterion]) => {
    if (criterionType(criterion) !== "simple") {
      const context = textOf(criterion["context"]);
      return context === "" ? [] : [{ expression: context, path: [...path, "context"] }];
    }
    return conditionExpressions(textOf(criterion["condition"])).map((expression) => ({
      expression,
      path: [...path, "condition"],
    }));
  });
}

function conditionExpressions(condition: string): readonly string[] {
  try {
    return expressionsIn(condition);
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function outputExpressions(outputs: Json | undefined): readonly PlacedExpression[] {
  return Object.entries(objectOf(outputs)).map(([name, value]) => ({
    expression: typeof value === "string" ? value : JSON.stringify(value),
    path: ["outputs", name],
  }));
}

const forms =
  "Use $statusCode, $method, $url, $response.body#/…, $response.header.NAME, $request.header.NAME, $inputs.NAME or $steps.ID.outputs.NAME.";

/** Why an expression has no value at a position; undefined if it may have one. */
function expressionProblem(expression: string, position: Position): ProblemText | undefined {
  if (!isExpression(expression))
    return { problem: `${expression} is not a runtime expression`, advice: adviceOn(expression) };
  const [, root = "", rest = ""] = /^\$(\w+)\.?(.*)$/s.exec(expression) ?? [];
  const [, id = "", list, name = ""] = /^(.+?)\.(inputs|outputs)\.(.+)$/s.exec(rest) ?? [];
  if (root === "steps") return outputProblem(expression, id, name, position);
  const { workflow, called } = position;
  if (root === "inputs") return nameProblem(expression, rest, inputNames(workflow), "input");
  if (root === "outputs")
    return nameProblem(expression, rest, Object.keys(objectOf(called?.value["outputs"])), "output");
  if (root === "workflows") {
    const named = workflow.document.workflows.find((each) => each.id === id);
    const advice = () =>
      advise(
        id,
        workflow.document.workflows.map((each) => each.id),
      );
    if (named === undefined)
      return {
        problem: `${expression} names the workflow ${JSON.stringify(id)}, which does not exist`,
        advice: advice(),
      };
    if (list === "inputs") return nameProblem(expression, name, inputNames(named), "input");
    return nameProblem(expression, name, Object.keys(objectOf(named.value["outputs"])), "output");
  }
  if (position.isAfterResponse || root === "components" || root === "sourceDescriptions") return undefined;
  return position.step === undefined
    ? { problem: `${expression} has no value in the outputs of the workflow`, advice: "Use $steps.ID.outputs.NAME." }
    : {
        problem: `${expression} has no value before the request is sent`,
        advice: "Only outputs of the steps before have one: $steps.ID.outputs.NAME.",
      };
}

/** The inputs that a workflow declares; undefined if its schema lists none. */
function inputNames(workflow: Workflow): readonly string[] | undefined {
  const { properties } = inputsSchema(workflow);
  if (workflow.value["inputs"] === undefined) return Object.keys(objectOf(objectOf(worldOf(workflow))["inputs"]));
  return properties === undefined ? undefined : Object.keys(objectOf(properties));
}

function worldOf({ document }: Workflow): Json | undefined {
  return document.workflows.find(({ value }) => value["x-understudy"] !== undefined)?.value["x-understudy"];
}

/** Whether a name, or the part of it before a member, an index or a pointer, is one of several. */
function isNamed(text: string, names: readonly string[]): boolean {
  return names.some((name) => text === name || (text.startsWith(name) && ".[#".includes(text.charAt(name.length))));
}

function nameProblem(
  expression: string,
  name: string,
  names: readonly string[] | undefined,
  kind: "input" | "output",
): ProblemText | undefined {
  if (names === undefined || isNamed(name, names)) return undefined;
  const problem = `${expression} names the ${kind} ${JSON.stringify(name)}, which the workflow does not have`;
  return { problem, advice: names.length === 0 ? `Add it to the ${kind}s of the workflow.` : advise(name, names) };
}

function outputProblem(
  expression: string,
  step: string,
  output: string,
  { outputs, stepIds, step: own }: Position,
): ProblemText | undefined {
  const names = outputs.get(step);
  if (names !== undefined && isNamed(output, names)) return undefined;
  if (names !== undefined)
    return {
      problem: `${expression} names the output ${JSON.stringify(output)}, which the step ${JSON.stringify(step)} does not have`,
      advice: names.length === 0 ? "Add it to the outputs of the step." : advise(output, names),
    };
  if (step === own)
    return {
      problem: `${expression} names an output of its own step, which has no value yet`,
      advice: "Use the expression of the output.",
    };
  if (stepIds.has(step))
    return {
      problem: `${expression} names the step ${JSON.stringify(step)}, which runs later`,
      advice: "Move that step before this one.",
    };
  return {
    problem: `${expression} names the step ${JSON.stringify(step)}, which does not exist`,
    advice: outputs.size === 0 ? "There is no step before this one." : advise(step, outputs.keys()),
  };
}

const beginnings = ["$statusCode", "$method", "$url", "$response", "$request", "$steps", "$inputs", "$workflows"];
const bodies = ["$response.body", "$response.header", "$request.header"];

/** The nearest expression: one whose beginning, or whose second or third part, is misspelt. */
function adviceOn(expression: string): string {
  const [first = ""] = expression.split(/[.#]/);
  const [head = ""] = expression.split("#");
  const [two = ""] = /^[^.#]*\.[^.#]*/.exec(expression) ?? [];
  const candidates = [
    replaced(expression, first, nearestBeginning(first)),
    replaced(expression, head, suggestion(head, ["$response.body"])),
    replaced(expression, two, suggestion(two, bodies)),
    expression.replace(/^\$\w+\.([^.]+)\.[^.]+\./, "$steps.$1.outputs."),
    expression.replace("#", "#/"),
    `$${expression}`,
  ];
  const near = candidates.find((candidate) => candidate !== expression && isExpression(candidate));
  return near === undefined ? forms : `Did you mean ${JSON.stringify(near)}?`;
}

/** A beginning that resembles the text, or that the text begins: `$status` begins `$statusCode`. */
function nearestBeginning(first: string): string | undefined {
  const isPart = first.length > 2;
  return suggestion(first, beginnings) ?? beginnings.find((one) => isPart && one.startsWith(first));
}

function replaced(expression: string, part: string, near: string | undefined): string {
  return near === undefined ? expression : near + expression.slice(part.length);
}
