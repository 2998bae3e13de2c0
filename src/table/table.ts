import SortedTree from "sorted-btree";

/** An ordered map from id to row. Every change gives a new table that shares its unchanged part with the old one. */
export interface Table<Row> {
  readonly size: number;
  get(id: string): Row | undefined;
  has(id: string): boolean;
  /** The first row whose id is greater than `id`; undefined at the end. */
  nextHigherPair(id: string | undefined): [string, Row] | undefined;
  entries(lowestId?: string): IterableIterator<[string, Row]>;
  values(): IterableIterator<Row>;
  /** Left without `isOverwriting`, the library keeps the row that there was. */
  with(id: string, row: Row, isOverwriting: true): Table<Row>;
  without(id: string): Table<Row>;
}

// The package is CommonJS: Node hands over the module's exports, whose `default` is the class.
const Tree = SortedTree.default;

function byCodeUnit(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A table of these rows, ordered by the code units of their ids. */
export function tableOf<Row>(rows: Iterable<readonly [string, Row]>): Table<Row> {
  const tree = new Tree<string, Row>(undefined, byCodeUnit);
  for (const [id, row] of rows) tree.set(id, row);
  return tree;
}
