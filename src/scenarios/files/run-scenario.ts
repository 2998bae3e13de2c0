import { Body } from "../../foundation/http/body.ts";
import { headerValues } from "../../foundation/http/header.ts";
import { formatJson, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, textsOf, withoutUndefined } from "../../foundation/json/members.ts";
import { number } from "./_reader.ts";
import { brokenCriterion } from "./conditions/criterion.ts";
import { type ExpressionScope, evaluate, substitute } from "./conditions/expression.ts";
import type { Scenario } from "./load-scenario.ts";
import { judged, type RunTarget, resultOf, runStep, type StepResult, type StepScope } from "./run-step.ts";
import { firstWorkflows, type Workflow, workflowNamed } from "./workflow.ts";
import { initialInputs } from "./workflow-inputs.ts";

/** Maximum number of steps of a run, and of workflows that call each other: actions can make a workflow endless. */
const stepsMax = 10_000;
const depthMax = 50;
/** Maximum time before another attempt of a step. */
const retryAfterMsMax = 600_000;

interface ScenarioTarget extends RunTarget {
  /** Waits in real time, if the target has no virtual clock. */
  readonly sleep?: (ms: number) => Promise<unknown>;
  /** Values for the inputs of the workflows; they override those of the scenario. */
  readonly inputs?: JsonObject;
  /** The last step. Default: all. */
  readonly until?: string;
}

/** How a workflow ended. */
interface Ended {
  readonly isFine: boolean;
  readonly outputs: JsonObject;
}

/**
 * Runs the workflows of a scenario: those that no other one names, one after the other, each after those that it depends
 * on. Stops after the first step that fails without an action that goes on.
 */
export async function runScenario(scenario: Scenario, target: ScenarioTarget): Promise<readonly StepResult[]> {
  const run = new ScenarioRun(scenario, target);
  for (const workflow of firstWorkflows(scenario.main.document)) {
    const { isFine } = await run.workflow(workflow, {}, 0);
    if (!isFine || run.isOver) break;
  }
  return run.results;
}

class ScenarioRun {
  readonly results: StepResult[] = [];
  /** Whether the last step of the run has passed. */
  isOver = false;
  readonly #ended = new Map<Workflow, { readonly inputs: JsonObject; readonly outputs: JsonObject }>();
  readonly #scenario: Scenario;
  readonly #target: ScenarioTarget;

  constructor(scenario: Scenario, target: ScenarioTarget) {
    this.#scenario = scenario;
    this.#target = target;
  }

  async workflow(workflow: Workflow, given: JsonObject, depth: number): Promise<Ended> {
    const failed = { isFine: false, outputs: {} };
    if (depth > depthMax) return this.#problem(workflow, `more than ${depthMax} workflows call each other`);
    for (const name of textsOf(workflow.value["dependsOn"])) {
      const needed = workflowNamed(workflow.document, name);
      if (needed === undefined || this.#ended.has(needed)) continue;
      if (!(await this.workflow(needed, {}, depth + 1)).isFine) return failed;
    }
    const inputs = initialInputs(workflow, { ...this.#scenario.inputs, ...this.#target.inputs }, given);
    const problem = workflow.value["inputs"] === undefined ? undefined : await problemOfInputs(workflow, inputs);
    if (problem !== undefined) return this.#problem(workflow, problem);
    const outputs = new Map<string, JsonObject>();
    const scope = (): StepScope => ({
      outputs,
      inputs,
      workflows: this.#finished(workflow),
      document: objectOf(workflow.document.source.value),
    });
    const isFine = await this.#steps(workflow, { outputs, scope, depth });
    const values = outputsOf(workflow, {
      ...scope(),
      request: undefined,
      response: undefined,
      responseJson: undefined,
    });
    this.#ended.set(workflow, { inputs, outputs: values });
    return { isFine, outputs: values };
  }

  /** Inputs and outputs of ended workflows, by the ids of the same document. */
  #finished({
    document,
  }: Workflow): ReadonlyMap<string, { readonly inputs: JsonObject; readonly outputs: JsonObject }> {
    return new Map(
      [...this.#ended].flatMap(([each, values]) => (each.document === document ? [[each.id, values]] : [])),
    );
  }

  #problem(workflow: Workflow, reason: string): Ended {
    const scope = { request: undefined, response: undefined, responseJson: undefined, outputs: new Map() };
    this.results.push(resultOf({}, scope, { stepId: workflow.id, outcome: "failed", reason }));
    return { isFine: false, outputs: {} };
  }

  async #steps(workflow: Workflow, frame: Frame): Promise<boolean> {
    const steps = objectsOf(workflow.value["steps"]);
    const attempts = new Map<string, number>();
    for (let at = 0; at < steps.length; ) {
      const step = objectOf(steps[at]);
      const result = await this.#step(workflow, step, frame);
      if (result.outcome === "not-run" || this.results.length >= stepsMax) return this.#end(workflow, result);
      const isPassed = result.outcome === "passed";
      if (isPassed) this.#push(workflow, result);
      const action = actionAfter(result, attempts);
      if (isPassed && textOf(step["stepId"]) === this.#target.until) this.isOver = true;
      if (this.isOver || (isPassed && action?.["type"] === "end")) return true;
      if (!isPassed && (action === undefined || action["type"] === "end")) return this.#end(workflow, result);
      if (!isPassed) this.#push(workflow, { ...result, outcome: "handled" });
      const next = await this.#act(workflow, { step, action, result }, frame);
      if (typeof next === "boolean") return next;
      at = next === undefined ? at + 1 : steps.findIndex((each) => each["stepId"] === next);
    }
    return true;
  }

  /** The step that comes next by an action; undefined for the one behind; whether the workflow passed, if it ended. */
  async #act(
    workflow: Workflow,
    {
      step,
      action,
      result,
    }: { readonly step: JsonObject; readonly action: JsonObject | undefined; readonly result: StepResult },
    frame: Frame,
  ): Promise<string | undefined | boolean> {
    if (action === undefined) return undefined;
    const named =
      action["workflowId"] === undefined ? undefined : workflowNamed(workflow.document, textOf(action["workflowId"]));
    const stepId = action["stepId"] === undefined ? undefined : textOf(action["stepId"]);
    if (action["type"] === "goto")
      return named === undefined ? stepId : (await this.workflow(named, {}, frame.depth + 1)).isFine;
    if (named !== undefined && !(await this.workflow(named, {}, frame.depth + 1)).isFine) return false;
    const between = objectsOf(workflow.value["steps"]).find(
      (each) => stepId !== undefined && each["stepId"] === stepId,
    );
    if (between !== undefined) {
      const repaired = await this.#step(workflow, between, frame);
      this.#push(workflow, repaired);
      if (repaired.outcome !== "passed") return false;
    }
    await this.#wait(retryAfterMs(action, result, this.#target.nowMs()));
    return textOf(step["stepId"]);
  }

  async #step(workflow: Workflow, step: JsonObject, frame: Frame): Promise<StepResult> {
    const result = await this.#called(workflow, step, frame);
    if (Object.keys(result.outputs).length > 0 || result.outcome === "passed")
      frame.outputs.set(textOf(step["stepId"]), result.outputs);
    return result;
  }

  async #called(workflow: Workflow, step: JsonObject, { scope, depth }: Frame): Promise<StepResult> {
    const values = scope();
    if (step["workflowId"] === undefined) return runStep(step, values, this.#target);
    const before = { ...values, request: undefined, response: undefined, responseJson: undefined };
    const called = workflowNamed(workflow.document, textOf(step["workflowId"]));
    const given = Object.fromEntries(
      objectsOf(step["parameters"]).map(({ name, value }) => [textOf(name), substitute(value ?? null, before)]),
    );
    const stepId = textOf(step["stepId"]);
    const ended = called === undefined ? undefined : await this.workflow(called, given, depth + 1);
    if (ended?.isFine !== true) {
      const reason = `the workflow ${textOf(step["workflowId"])} did not pass`;
      return resultOf(step, before, { stepId, outcome: "failed", reason });
    }
    const result = judged(step, { ...before, ...scope(), workflowOutputs: ended.outputs });
    return { ...result, outputs: { ...ended.outputs, ...result.outputs } };
  }

  #push(workflow: Workflow, result: StepResult): void {
    const isMain = workflow === this.#scenario.main;
    this.results.push(isMain ? result : { ...result, stepId: `${workflow.id}.${result.stepId}` });
  }

  #end(workflow: Workflow, result: StepResult): boolean {
    const isEndless = this.results.length >= stepsMax;
    const reason = isEndless ? `the run has more than ${stepsMax} steps` : result.reason;
    this.#push(workflow, isEndless ? { ...result, outcome: "failed", reason } : result);
    return false;
  }

  /** A stub's clock is advanced; for another target, time passes. */
  async #wait(ms: number): Promise<void> {
    if (ms === 0) return;
    if (!this.#target.hasControl) {
      await this.#target.sleep?.(ms);
      return;
    }
    await this.#target.handler({
      method: "POST",
      target: "/__understudy/worlds/default/clock/advance",
      headers: [["Content-Type", "application/json"]],
      body: new Body(formatJson({ by: `PT${ms / 1000}S` })),
    });
  }
}

/** Loads the validator at its first use. */
async function problemOfInputs(workflow: Workflow, inputs: JsonObject): Promise<string | undefined> {
  const { inputsProblem } = await import("./check-inputs.ts");
  return inputsProblem(workflow, inputs);
}

/** The values of a workflow while it runs. */
interface Frame {
  readonly outputs: Map<string, JsonObject>;
  readonly scope: () => StepScope;
  readonly depth: number;
}

/** The first action whose criteria hold, and that has attempts left. */
function actionAfter({ step, outcome, scope }: StepResult, attempts: Map<string, number>): JsonObject | undefined {
  const stepId = textOf(step["stepId"]);
  if (outcome === "passed") attempts.clear();
  return objectsOf(step[outcome === "passed" ? "onSuccess" : "onFailure"]).find((action, index) => {
    if (!objectsOf(action["criteria"]).every((criterion) => brokenCriterion(criterion, scope) === undefined))
      return false;
    if (action["type"] !== "retry") return true;
    const [key, limit] = [`${index} ${stepId}`, number(action["retryLimit"], 1)];
    const made = attempts.get(key) ?? 0;
    attempts.set(key, made + 1);
    return made < limit;
  });
}

/** The time before another attempt: that of `Retry-After`, which overrules that of the action. */
function retryAfterMs(action: JsonObject, { scope }: StepResult, nowMs: number): number {
  const [header = ""] = headerValues(scope.response?.headers ?? [], "retry-after");
  const byHeader = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  const ms = Number.isNaN(byHeader) ? number(action["retryAfter"], 0) * 1000 : byHeader;
  return Math.min(Math.max(Math.round(ms), 0), retryAfterMsMax);
}

function outputsOf({ value }: Workflow, scope: ExpressionScope): JsonObject {
  const named = Object.entries(objectOf(value["outputs"]));
  return withoutUndefined(
    Object.fromEntries(
      named.map(([name, expression]): [string, Json | undefined] => [name, evaluate(textOf(expression), scope)]),
    ),
  );
}
