import { useEffect, useState } from "preact/hooks";
import type { TableName, WorldStatus } from "../parts/control-api.ts";
import { IdText } from "../parts/id-text.tsx";
import { type TableRows, useTable } from "./use-table.ts";

const rowsAtOnce = 200;
/** Delay after the last key before the search starts. */
const pauseMs = 250;

interface WorldTableProps {
  readonly world: WorldStatus;
  readonly table: { readonly name: TableName; readonly title: string };
  readonly at: number | undefined;
}

/** A searchable table of the world. Rows that the selected exchange changed are marked. */
export function WorldTable({ world, table, at }: WorldTableProps) {
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
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {value !== undefined && <Rows title={table.title} rows={value} />}
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

function Rows({ title, rows: { columns, rows } }: { readonly title: string; readonly rows: TableRows }) {
  if (rows.length === 0) return <p class="empty">No rows at this point in time.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="rows" aria-label={title} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
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
                    {isChanged && column === 0 && <span class="mark"> ● changed</span>}
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
