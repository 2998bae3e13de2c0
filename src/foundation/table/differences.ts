import SortedTree from "sorted-btree";
import differAgainst from "sorted-btree/extended/diffAgainst.js";
import type { Table } from "./table.ts";

/** A row that differs between two tables. */
export interface RowDifference<Row> {
  readonly id: string;
  /** Undefined for an added row. */
  readonly before: Row | undefined;
  /** Undefined for a removed row. */
  readonly after: Row | undefined;
}

// Both files are CommonJS: Node hands over their exports, whose `default` is the class and the function.
const Tree = SortedTree.default;
const against = differAgainst.default;

/** The differences between two states of a table, in order of ids, at most `max`. Shared parts cost nothing. */
export function differencesOf<Row>(before: Table<Row>, after: Table<Row>, max: number): readonly RowDifference<Row>[] {
  if (before === after || !(before instanceof Tree && after instanceof Tree)) return [];
  const found: RowDifference<Row>[] = [];
  const note = (id: string, earlier: Row | undefined, later: Row | undefined) => {
    found.push({ id, before: earlier, after: later });
    return found.length >= max ? { break: true } : undefined;
  };
  against<string, Row, boolean>(
    before,
    after,
    (id, row) => note(id, row, undefined),
    (id, row) => note(id, undefined, row),
    (id, earlier, later) => (earlier === later ? undefined : note(id, earlier, later)),
  );
  return found;
}
