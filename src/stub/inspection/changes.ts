import { differencesOf } from "../../foundation/table/differences.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";
import type { components } from "../control/generated/control-types.ts";
import { shownTable, tableNames } from "./tables.ts";

type WorldChange = components["schemas"]["WorldChange"];

/** Maximum number of listed changes of one exchange and table. */
const changesMax = 1000;

/** The texts of a row; undefined if the table does not show it. A row can change in members that no cell shows. */
function cellsAt(table: ReturnType<typeof shownTable>, id: string): string | undefined {
  const [row] = table.isShown(id) ? table.rowsFrom(id) : [];
  return row?.cells.join("\n");
}

/** Compares two states table by table. States share unchanged parts, so the cost depends on the number of changes. */
export function changesBetween(before: WorldState, after: WorldState): WorldChange[] {
  if (before.ledger === after.ledger && before.registry === after.registry) return [];
  return tableNames.flatMap((table) => {
    const [earlier, later] = [shownTable(before, table), shownTable(after, table)];
    const changed = differencesOf<unknown>(earlier.table, later.table, changesMax);
    const shown = changed.filter(
      ({ id }) => (earlier.isShown(id) || later.isShown(id)) && cellsAt(earlier, id) !== cellsAt(later, id),
    );
    return shown.map((row) => {
      const change = row.before === undefined ? "added" : row.after === undefined ? "removed" : "changed";
      return { table, id: row.id, change } as const;
    });
  });
}
