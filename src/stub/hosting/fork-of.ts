import type { World } from "../../simulator/world/world.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";

/** A world that begins in the current state of another one, in its start, or in a given state. */
export function forkOf(world: World, from: "now" | "start" | WorldState): World {
  if (from === "now") return world.fork();
  return from === "start" ? world.fresh() : world.forkAt(from);
}
