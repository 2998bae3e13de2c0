import type { WorldState } from "../../src/simulator/world/world-state.ts";
import type { Taken } from "./_checked-responses.ts";

/** A request with the states of its world around it. */
export interface Met extends Taken {
  readonly before: WorldState;
  readonly after: WorldState;
}

/** Whether a plan decided the response to the one request between two states, and whether the operation took effect for all that. */
export function plannedResponse(before: WorldState, after: WorldState): Taken["planned"] {
  const givenIn = ({ responseCounts }: WorldState, place: number) => responseCounts[place]?.given ?? 0;
  const due = after.plan.responses.find((_, place) => givenIn(after, place) > givenIn(before, place));
  if (due === undefined) return "no";
  const isOwn = due.response.type === "own" && due.network?.resetAfterBytes === undefined;
  return isOwn ? "no" : due.timing;
}

/** Whether the plan let something happen just before the one request between two states. */
export function hadPlannedChange(before: WorldState, after: WorldState): boolean {
  return after.plan.calls.some(
    ({ operationId, nth }) =>
      after.callCounts.get(operationId) === nth &&
      before.callCounts.get(operationId) !== after.callCounts.get(operationId),
  );
}
