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
  const [ids, ordered]: [string[], Row[]] = [[], []];
  for (const [id, row] of [...rows].sort((left, right) => byCodeUnit(left[0], right[0]))) {
    if (ids.at(-1) === id) ordered.pop();
    else ids.push(id);
    ordered.push(row);
  }
  return loaded(ids, ordered);
}

/** The same for rows that hold their ids. Makes no pairs: a fixture may have a million rows. */
export function tableById<Row extends { readonly id: string }>(rows: readonly Row[]): Table<Row> {
  const [ids, ordered]: [string[], Row[]] = [[], []];
  for (const row of rows.toSorted((left, right) => byCodeUnit(left.id, right.id))) {
    if (ids.at(-1) === row.id) ordered.pop();
    else ids.push(row.id);
    ordered.push(row);
  }
  return loaded(ids, ordered);
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

/** Smaller than the library's default of 32: each state that a journal keeps has its own path to the changed row. */
const nodeSizeMax = 16;
