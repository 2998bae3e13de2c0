import type { Handler } from "../../foundation/http/handler.ts";
import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { objectsOf } from "../../foundation/json/members.ts";
import type { Scenario } from "../../scenarios/files/load-scenario.ts";
import { runStep } from "../../scenarios/files/run-scenario.ts";
import { asLoopback } from "../../stub/control/access.ts";

/** Result of a run of steps: their outputs by name, or the problem of the failed step. */
type StepsResult =
  | { readonly type: "passed"; readonly outputs: JsonObject }
  | { readonly type: "failed"; readonly problem: string };

/** Runs the steps of a scenario up to and including `afterStep`; none if it is undefined. Of equal output names, the latest counts. */
export async function runSteps(
  scenario: Scenario,
  target: { readonly handler: Handler; readonly nowMs: () => number; readonly afterStep: string | undefined },
): Promise<StepsResult> {
  const { handler, nowMs, afterStep } = target;
  const outputs = new Map<string, Readonly<Record<string, Json>>>();
  for (const step of stepsUpTo(scenario, afterStep)) {
    const result = await runStep(step, outputs, { handler: asLoopback(handler), hasControl: true, nowMs });
    if (result.outcome !== "passed")
      return { type: "failed", problem: `The step ${result.stepId} of ${scenario.file} failed: ${result.reason}.` };
  }
  return { type: "passed", outputs: Object.assign({}, ...outputs.values()) };
}

function stepsUpTo({ workflow }: Scenario, afterStep: string | undefined): readonly JsonObject[] {
  const steps = objectsOf(workflow["steps"]);
  return steps.slice(0, steps.findIndex((step) => step["stepId"] === afterStep) + 1);
}
