import { useEffect, useRef, useState } from "preact/hooks";
import { Columns } from "../parts/columns.tsx";
import {
  controlApi,
  type InspectedExchange,
  type TableName,
  type TablePage,
  type WorldStatus,
} from "../parts/control-api.ts";
import { IdText } from "../parts/id-text.tsx";
import { Problem } from "../parts/problem.tsx";
import { useLatest } from "../parts/use-latest.ts";
import type { Fetched } from "../parts/use-live.ts";

const rowsAtOnce = 200;
/** Delay after the last key before the search starts. */
const pauseMs = 250;

interface WorldTableProps {
  readonly world: WorldStatus;
  readonly table: { readonly name: TableName; readonly title: string };
  readonly at: number | undefined;
  /** What the exchange `at` changed. */
  readonly changes: InspectedExchange["changes"];
}

/** A searchable table of the world. Rows that the selected exchange changed are marked. */
export function WorldTable({ world, table, at, changes }: WorldTableProps) {
  const [typed, setTyped] = useState("");
  const search = usePaused(typed);
  const [wanted, setWanted] = useState(rowsAtOnce);
  useEffect(() => setWanted(rowsAtOnce), [search, at]);
  const { value, problem } = useTable(world, { table: table.name, at, search, wanted });
  return (
    <>
      <p class="search">
        <label>
          Search {table.title.toLowerCase()}{" "}
          <input type="search" value={typed} onInput={({ currentTarget }) => setTyped(currentTarget.value)} />
        </label>
        <span role="status">{value === undefined ? "" : countOf(value)}</span>
      </p>
      <Problem text={problem} />
      {value !== undefined && (
        <Rows title={table.title} rows={value} changes={changes.filter((change) => change.table === table.name)} />
      )}
      {value !== undefined && value.next !== null && (
        <button type="button" class="more" onClick={() => setWanted(wanted + rowsAtOnce)}>
          More
        </button>
      )}
    </>
  );
}

function countOf({ rows, next, query }: TableRows): string {
  const found = query.search === "" ? "" : " found";
  if (next !== null) return `the first ${rows.length} rows${found}`;
  return `${rows.length} ${rows.length === 1 ? "row" : "rows"}${found}`;
}

interface RowsProps extends Pick<WorldTableProps, "changes"> {
  readonly title: string;
  readonly rows: TableRows;
}

function Rows({ title, rows: { columns, rows }, changes }: RowsProps) {
  if (rows.length === 0) return <p class="empty">No rows at this point in time.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="rows" aria-label={title} tabIndex={0}>
      <table>
        <Columns names={columns} />
        <tbody>
          {rows.map(({ id, cells, isChanged }) => (
            <tr key={id} class={isChanged ? "changed" : undefined}>
              {cells.map((cell, column) => (
                <td key={columns[column]} class={cell === "" ? "code is-empty" : "code"}>
                  <span class="label" aria-hidden="true">
                    {columns[column]}
                  </span>
                  <span class="value">
                    <IdText text={cell} />
                    {isChanged && column === 0 && (
                      <span class="mark"> ● {changes.find((each) => each.id === id)?.change ?? "changed"}</span>
                    )}
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The text after a pause without changes. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const pause = setTimeout(() => setPaused(text), pauseMs);
    return () => clearTimeout(pause);
  }, [text]);
  return paused;
}

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
interface TableRows extends TablePage {
  readonly query: TableQuery;
}

/** Maximum number of rows per request. */
const pageRowsMax = 1000;

/** Fetches the first rows of a table. More rows of the same table are added to the known ones. */
function useTable(world: WorldStatus, query: TableQuery): Fetched<TableRows> {
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
