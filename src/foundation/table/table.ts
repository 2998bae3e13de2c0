import SortedTree from "sorted-btree";
import { bulkLoad } from "sorted-btree/extended/bulkLoad.js";

/** An ordered map from id to row. A change gives a new table that shares its unchanged parts with the old one. */
export interface Table<Row> {
  readonly size: number;
  get(id: string): Row | undefined;
  has(id: string): boolean;
  /** The first row whose id is greater than `id`; undefined at the end. */
  nextHigherPair(id: string | undefined): [string, Row] | undefined;
  entries(lowestId?: string): IterableIterator<[string, Row]>;
  values(): IterableIterator<Row>;
  /** Without `isOverwriting` the library keeps the existing row. */
  with(id: string, row: Row, isOverwriting: true): Table<Row>;
  without(id: string): Table<Row>;
}

// The package is CommonJS: Node hands over the module's exports, whose `default` is the class.
const Tree = SortedTree.default;

function byCodeUnit(left: string, right: string): number {
  return left < right ? -1 : left === right ? 0 : 1;
}

/** A table of these rows, ordered by the code units of their ids; for equal ids the last row wins. */
export function tableOf<Row>(rows: Iterable<readonly [string, Row]>): Table<Row> {
  const sorted = [...rows].sort((left, right) => byCodeUnit(left[0], right[0]));
  const last = sorted.filter(([id], index) => id !== sorted[index + 1]?.[0]);
  return loaded(
    last.map(([id]) => id),
    last.map(([, row]) => row),
  );
}

/** The same for rows that hold their ids: a fixture may have a million, and pairs would take as much memory again. */
export function tableById<Row extends { readonly id: string }>(rows: readonly Row[]): Table<Row> {
  const sorted = rows.toSorted((left, right) => byCodeUnit(left.id, right.id));
  const last = sorted.filter(({ id }, index) => id !== sorted[index + 1]?.id);
  return loaded(
    last.map(({ id }) => id),
    last,
  );
}

/** Loads in bulk: adding a million rows one by one takes four times as long. */
function loaded<Row>(ids: string[], rows: Row[]): Table<Row> {
  return ids.length === 0
    ? new Tree<string, Row>(undefined, byCodeUnit, nodeSizeMax)
    : bulkLoad(ids, rows, nodeSizeMax, byCodeUnit);
}

/** Whether a value is a table. */
export function isTable(value: unknown): value is Table<unknown> {
  return value instanceof Tree;
}

/** The library's own default. */
const nodeSizeMax = 16;
