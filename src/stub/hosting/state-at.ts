import type { World } from "../../simulator/world/world.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";
import type { Journal } from "../journal/journal.ts";
import type { StatesAround } from "./hosted-world.ts";

/** A journal with its world; recorded traffic has no world. */
interface Traffic {
  readonly journal: Journal<StatesAround | undefined>;
  readonly world?: World;
}

/** The state after an exchange; 0 means before the first kept exchange. Undefined if dropped, or if the world is unknown. */
export function stateAt({ journal, world }: Traffic, number: number): WorldState | undefined {
  if (number > 0) return journal.at(number)?.context?.after;
  const first = journal.after(0, 1)[0];
  return first === undefined ? world?.state : first.context?.before;
}
