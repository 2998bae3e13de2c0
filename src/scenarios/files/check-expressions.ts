import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf } from "../../foundation/json/members.ts";
import { advise, suggestion } from "../../foundation/text/suggestion.ts";
import { expressionsIn } from "./condition.ts";
import { criterionType } from "./criterion-type.ts";
import { isExpression, type PlacedExpression, requestExpressions } from "./expression.ts";
import { type Problem, type ProblemText, problemAt } from "./problem.ts";
import type { SourceFile, ValuePath } from "./source-file.ts";

/** Where an expression is, and what has a value there. */
interface Position {
  readonly step: string | undefined;
  /** Whether the response of the step is known. */
  readonly isAfterResponse: boolean;
  /** The names of outputs by the steps before. */
  readonly outputs: ReadonlyMap<string, readonly string[]>;
  readonly stepIds: ReadonlySet<string>;
}

/** Problems of runtime expressions that can have no value: in requests, criteria, outputs, and outputs of the workflow. */
export function checkExpressions(source: SourceFile, workflow: JsonObject): readonly Problem[] {
  const steps = objectsOf(workflow["steps"]);
  const stepIds = new Set(steps.map((step) => textOf(step["stepId"])));
  const outputs = new Map<string, readonly string[]>();
  const problems: Problem[] = [];
  const check = (placed: readonly PlacedExpression[], around: ValuePath, at: Omit<Position, "outputs" | "stepIds">) => {
    for (const { expression, path } of placed) {
      const found = expressionProblem(expression, { ...at, outputs, stepIds });
      if (found !== undefined) problems.push(problemAt(source, [...around, ...path], found.problem, found.advice));
    }
  };
  for (const [index, step] of steps.entries()) {
    const around = ["workflows", 0, "steps", index];
    const stepId = textOf(step["stepId"]);
    check(requestExpressions(step), around, { step: stepId, isAfterResponse: false });
    const placed = [...criterionExpressions(step), ...outputExpressions(step["outputs"])];
    check(placed, around, { step: stepId, isAfterResponse: true });
    if (!outputs.has(stepId)) outputs.set(stepId, Object.keys(objectOf(step["outputs"])));
  }
  check(outputExpressions(workflow["outputs"]), ["workflows", 0], { step: undefined, isAfterResponse: false });
  return problems;
}

/** The expressions of the success criteria. A condition that is not well formed has none. */
function criterionExpressions(step: JsonObject): readonly PlacedExpression[] {
  return objectsOf(step["successCriteria"]).flatMap((criterion, index) => {
    const path = ["successCriteria", index];
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
  "Use $statusCode, $method, $url, $response.body#/…, $response.header.NAME, $request.header.NAME or $steps.ID.outputs.NAME.";

/** Why an expression has no value at a position; undefined if it may have one. */
function expressionProblem(expression: string, position: Position): ProblemText | undefined {
  const [, step, output] = /^\$steps\.([^.]+)\.outputs\.(.+)$/.exec(expression) ?? [];
  if (step !== undefined && output !== undefined) return outputProblem(expression, step, output, position);
  if (expression.startsWith("$inputs"))
    return { problem: `${expression} has no value: a scenario has no inputs`, advice: "Write the value itself." };
  if (!isExpression(expression))
    return { problem: `${expression} is not a runtime expression`, advice: adviceOn(expression) };
  if (position.isAfterResponse) return undefined;
  return position.step === undefined
    ? { problem: `${expression} has no value in the outputs of the workflow`, advice: "Use $steps.ID.outputs.NAME." }
    : {
        problem: `${expression} has no value before the request is sent`,
        advice: "Only outputs of the steps before have one: $steps.ID.outputs.NAME.",
      };
}

function outputProblem(
  expression: string,
  step: string,
  output: string,
  { outputs, stepIds, step: own }: Position,
): ProblemText | undefined {
  const names = outputs.get(step);
  if (names?.includes(output) === true) return undefined;
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

const beginnings = ["$statusCode", "$method", "$url", "$response", "$request", "$steps"];
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
