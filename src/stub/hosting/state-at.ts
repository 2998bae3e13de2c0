import type { World } from "../../simulator/world/world.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";
import type { Journal } from "../journal/journal.ts";
import type { PointInTime } from "./hosting.ts";

/** Traffic with the world behind it, where that is known. */
interface Traffic {
  readonly journal: Journal<PointInTime | undefined>;
  readonly world?: World;
}

/** The state right after an exchange, for 0 before the first that is still there; undefined where it is gone or was never known. */
export function stateAt({ journal, world }: Traffic, number: number): WorldState | undefined {
  if (number > 0) return journal.at(number)?.pointInTime?.after;
  const first = journal.after(0, 1)[0];
  return first === undefined ? world?.state : first.pointInTime?.before;
}
