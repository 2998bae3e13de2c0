import { virtualTimeMsMax, type WorldState } from "../../simulator/world/world-state.ts";
import { isPlainObject } from "./stored-value.ts";

/** Whether a restored value has the parts of a world. The contents of its rows are those that were stored. */
export function isWorldState(state: unknown): state is WorldState {
  if (!isPlainObject(state)) return false;
  const { nowMs, plan, participants } = state;
  return (
    isPlainObject(state["ledger"]) &&
    isPlainObject(state["registry"]) &&
    participants instanceof Map &&
    [...participants.values()].every(isPlainObject) &&
    isPlainObject(plan) &&
    [plan["timed"], plan["calls"], plan["responses"], state["responseCounts"]].every(Array.isArray) &&
    state["callCounts"] instanceof Map &&
    [state["seed"], state["counter"], state["timedDone"]].every(Number.isSafeInteger) &&
    typeof nowMs === "number" &&
    Math.abs(nowMs) <= virtualTimeMsMax
  );
}
