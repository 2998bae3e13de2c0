import { useRef } from "preact/hooks";
import { controlApi, type TableName, type TablePage, type WorldStatus } from "../parts/control-api.ts";
import { useLatest } from "../parts/use-latest.ts";
import type { Fetched } from "../parts/use-live.ts";

/** Selection of table rows. */
interface TableQuery {
  readonly table: TableName;
  /** The exchange whose resulting state is shown: 0 is before the first, undefined is now. */
  readonly at: number | undefined;
  readonly search: string;
  /** Maximum number of rows. */
  readonly wanted: number;
}

/** Rows with their query, since old rows stay visible until new ones are loaded. */
export interface TableRows extends TablePage {
  readonly query: TableQuery;
}

/** Maximum number of rows per request. */
const pageRowsMax = 1000;

/** Fetches the first rows of a table. More rows of the same table are added to the known ones. */
export function useTable(world: WorldStatus, query: TableQuery): Fetched<TableRows> {
  const { table, at, search, wanted } = query;
  const version = JSON.stringify([table, at ?? `now ${world.revision}`, world.epoch, search]);
  const known = useRef<{ readonly version: string; readonly rows: TableRows } | undefined>(undefined);
  return useLatest(async (isWanted) => {
    let rows = known.current?.version === version ? known.current.rows : undefined;
    while (isWanted() && (rows === undefined || (rows.next !== null && rows.rows.length < wanted))) {
      const missing = wanted - (rows?.rows.length ?? 0);
      const after = rows?.next ?? undefined;
      const page = await controlApi.table(world.id, table, {
        ...(at === undefined ? {} : { at }),
        ...(search === "" ? {} : { search }),
        ...(after === undefined ? {} : { after }),
        limit: Math.min(missing, pageRowsMax),
      });
      rows = { ...page, rows: [...(rows?.rows ?? []), ...page.rows], query };
    }
    if (rows === undefined) return { columns: [], rows: [], next: null, query };
    known.current = { version, rows };
    return { ...rows, query };
  }, `${version} ${wanted}`);
}
