export type SqlValue = string | number | null;

/** A row by the names of its columns. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** Runs a statement with the parameters `$1`, `$2` and so on. */
export type Query = (sql: string, parameters?: readonly SqlValue[]) => Promise<readonly SqlRow[]>;

/** A database of a store: SQLite or PostgreSQL. The statements of a store run in both. */
export interface Database {
  /** The SQL expression of the time by the clock of the database, in milliseconds since the epoch. */
  readonly nowMs: string;
  query: Query;
  /** Runs statements in one transaction: all of them have an effect, or none. */
  transaction<Result>(run: (query: Query) => Promise<Result>): Promise<Result>;
  /** As `transaction`, and no other process runs one of these at the same time. */
  exclusively<Result>(run: (query: Query) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** The text of a column. Throws an Error for a column of another type. */
export function textIn(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw new Error(`the column ${column} of the store has no text`);
  return value;
}

/** The integer of a column. Throws an Error for a column of another type. */
export function numberIn(row: SqlRow, column: string): number {
  const value = row[column];
  if (typeof value !== "number") throw new Error(`the column ${column} of the store has no number`);
  return value;
}

/** The text of a column; undefined for null. */
export function optionalTextIn(row: SqlRow, column: string): string | undefined {
  return row[column] === null ? undefined : textIn(row, column);
}

/** The integer of a column; undefined for null. */
export function optionalNumberIn(row: SqlRow, column: string): number | undefined {
  return row[column] === null ? undefined : numberIn(row, column);
}

/** `($1, $2), ($3, $4)` for a number of rows, with the types of their columns. */
export function valuesOf(rows: number, types: readonly string[]): string {
  const rowOf = (row: number) =>
    types.map((type, column) => `CAST($${row * types.length + column + 1} AS ${type})`).join(", ");
  return Array.from({ length: rows }, (_, row) => `(${rowOf(row)})`).join(", ");
}
