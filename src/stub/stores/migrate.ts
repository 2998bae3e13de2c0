import { type Database, numberIn } from "./database.ts";
import { StoreError } from "./store-error.ts";

/** A numbered change of the tables of a store. */
export interface StoreMigration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** Brings the tables of a store up to date. Throws a StoreError for a store of a newer version. */
export async function migrate(database: Database, migrations: readonly StoreMigration[]): Promise<void> {
  const newest = Math.max(...migrations.map(({ number }) => number));
  await database.exclusively(async (query) => {
    await query(
      "CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_ms BIGINT NOT NULL)",
    );
    const [row] = await query("SELECT COALESCE(MAX(number), 0) AS newest FROM migrations");
    const found = row === undefined ? 0 : numberIn(row, "newest");
    if (found > newest)
      throw new StoreError(
        `The store has version ${found}, and this version of Understudy knows versions up to ${newest}. Update Understudy, or use another store.`,
      );
    for (const { number, name, sql } of migrations.filter(({ number }) => number > found)) {
      for (const statement of statementsIn(sql)) await query(statement);
      await query(`INSERT INTO migrations (number, name, applied_ms) VALUES ($1, $2, ${database.nowMs})`, [
        number,
        name,
      ]);
    }
  });
}

/** The statements of a migration. Comments are lines of their own, and no text has a semicolon. */
function statementsIn(sql: string): readonly string[] {
  return sql
    .replaceAll(/^\s*--.*$/gm, "")
    .split(";")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}
