import { useRef } from "preact/hooks";
import { controlApi, type TablePage, type WorldStatus } from "../parts/control-api.ts";
import { useLatest } from "../parts/use-latest.ts";
import type { Requested } from "../parts/use-live.ts";

/** Which rows one looks at. */
export interface TableRequested {
  readonly table: string;
  /** Right after which exchange: 0 is before the first, undefined is now. */
  readonly at: number | undefined;
  readonly search: string;
  /** How many rows, if there are as many. */
  readonly wanted: number;
}

/** The rows with what they respond, since a table stays on the page until the next one is there. */
export interface TableRows extends TablePage {
  readonly requested: TableRequested;
}

/** As many as the API gives at once. */
const pageRowsMax = 1000;

/** The first rows of a table; where more are wanted of the same, what is there is not asked for again. */
export function useTable(world: WorldStatus, requested: TableRequested): Requested<TableRows> {
  const { table, at, search, wanted } = requested;
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
      rows = { ...page, rows: [...(rows?.rows ?? []), ...page.rows], requested };
    }
    if (rows === undefined) return { columns: [], rows: [], next: null, requested };
    known.current = { version, rows };
    return { ...rows, requested };
  }, `${version} ${wanted}`);
}
