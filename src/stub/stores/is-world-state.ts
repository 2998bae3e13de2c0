import type { WorldState } from "../../simulator/world/world-state.ts";
import { isPlainObject } from "./stored-value.ts";

/** Whether a restored value has the parts of a world. Their contents are those that were stored. */
export function isWorldState(state: unknown): state is WorldState {
  return (
    isPlainObject(state) &&
    isPlainObject(state["ledger"]) &&
    isPlainObject(state["registry"]) &&
    isPlainObject(state["plan"]) &&
    state["participants"] instanceof Map &&
    typeof state["nowMs"] === "number"
  );
}
