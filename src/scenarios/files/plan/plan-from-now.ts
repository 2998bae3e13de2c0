import type { Json } from "../../../foundation/json/json.ts";
import { type PlannedEvents, plannedMax } from "../../../simulator/world/plan.ts";
import { pendingEventCount, type WorldState } from "../../../simulator/world/world-state.ts";
import { checkSchema } from "../check-schema.ts";
import { type ProblemText, problemText } from "../problem.ts";
import { compilePlan } from "./compile-plan.ts";
import { planSource } from "./plan-world.ts";

type PlanFromNow =
  | { readonly type: "planned"; readonly events: PlannedEvents }
  | { readonly type: "invalid"; readonly problems: readonly string[] };

/** Compiles plan entries for a running world: times count from its current virtual time. */
export function planFromNow(entries: readonly Json[], state: WorldState): PlanFromNow {
  const source = planSource(entries);
  const misshapen = checkSchema("scenario", source);
  if (misshapen.length > 0) return invalid(misshapen);
  const { plan, problems } = compilePlan(entries, {
    source,
    path: ["plan"],
    startMs: state.nowMs,
    ledger: state.ledger,
    registry: state.registry,
  });
  if (problems.length > 0) return invalid(problems);
  const count = pendingEventCount(state) + plan.timed.length + plan.calls.length + plan.responses.length;
  if (count <= plannedMax) return { type: "planned", events: plan };
  const problem = `the plan would have ${count} pending events; the limit is ${plannedMax}`;
  return invalid([{ problem, advice: "Wait until some of them have happened, or reset the world." }]);
}

function invalid(problems: readonly ProblemText[]): PlanFromNow {
  return { type: "invalid", problems: problems.map(problemText) };
}
