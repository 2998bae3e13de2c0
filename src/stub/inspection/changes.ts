import { differencesOf } from "../../foundation/table/differences.ts";
import type { Table } from "../../foundation/table/table.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";
import { isShownIn, type TableName, tableNames, tableOf } from "./tables.ts";

/** A row that came, went or changed. */
export interface RowChange {
  readonly table: TableName;
  readonly id: string;
  readonly what: "came" | "went" | "changed";
}

/** Changes of one exchange that are told. */
const changesMax = 1000;

/** What became of the rows of a world, table by table. States share what they have in common, so this costs what changed. */
export function changesBetween(before: WorldState, after: WorldState): readonly RowChange[] {
  if (before.ledger === after.ledger && before.registry === after.registry) return [];
  return tableNames.flatMap((table) => {
    const changed: readonly { readonly id: string; readonly before: unknown; readonly after: unknown }[] = rowsBetween(
      tableOf(before, table),
      tableOf(after, table),
    );
    const shown = changed.filter(({ id }) => isShownIn(before, table, id) || isShownIn(after, table, id));
    return shown.map(({ id, before: earlier, after: later }) => ({
      table,
      id,
      what: earlier === undefined ? ("came" as const) : later === undefined ? ("went" as const) : ("changed" as const),
    }));
  });
}

function rowsBetween(before: Table<unknown>, after: Table<unknown>) {
  return differencesOf(before, after, changesMax);
}
