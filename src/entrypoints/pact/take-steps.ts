import type { Handler } from "../../foundation/http/handler.ts";
import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import type { Scenario } from "../../scenarios/files/load-scenario.ts";
import { runStep } from "../../scenarios/files/run-scenario.ts";
import { asLoopback } from "../../stub/control/access.ts";

export type Taken =
  | { readonly type: "taken"; readonly outputs: JsonObject }
  | { readonly type: "failed"; readonly problem: string };

/** Takes a scenario's steps up to one of them, none where it is undefined. What they put out is given by name, the latest of each. */
export async function takeSteps(
  scenario: Scenario,
  target: { readonly handler: Handler; readonly nowMs: () => number; readonly afterStep: string | undefined },
): Promise<Taken> {
  const { handler, nowMs, afterStep } = target;
  const outputs = new Map<string, Readonly<Record<string, Json>>>();
  for (const step of stepsUpTo(scenario, afterStep)) {
    const result = await runStep(step, outputs, { handler: asLoopback(handler), hasControl: true, nowMs });
    if (result.outcome !== "passed")
      return { type: "failed", problem: `The step ${result.stepId} of ${scenario.file} failed: ${result.reason}.` };
  }
  return { type: "taken", outputs: Object.assign({}, ...outputs.values()) };
}

function stepsUpTo({ workflow }: Scenario, afterStep: string | undefined): readonly JsonObject[] {
  const list = workflow["steps"];
  const steps = Array.isArray(list) ? list.filter(isJsonObject) : [];
  return steps.slice(0, steps.findIndex((step) => step["stepId"] === afterStep) + 1);
}
