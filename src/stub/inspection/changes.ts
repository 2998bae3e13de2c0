import { differencesOf } from "../../foundation/table/differences.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";
import type { components } from "../control/generated/control-types.ts";
import { isShownIn, tableNames, tableOf } from "./tables.ts";

type WorldChange = components["schemas"]["WorldChange"];

/** Maximum number of listed changes of one exchange and table. */
const changesMax = 1000;

/** Compares two states table by table. States share unchanged parts, so the cost depends on the number of changes. */
export function changesBetween(before: WorldState, after: WorldState): WorldChange[] {
  if (before.ledger === after.ledger && before.registry === after.registry) return [];
  return tableNames.flatMap((table) => {
    const changed = differencesOf<unknown>(tableOf(before, table), tableOf(after, table), changesMax);
    const shown = changed.filter(({ id }) => isShownIn(before, table, id) || isShownIn(after, table, id));
    return shown.map(({ id, before: earlier, after: later }) => ({
      table,
      id,
      change:
        earlier === undefined ? ("added" as const) : later === undefined ? ("removed" as const) : ("changed" as const),
    }));
  });
}
