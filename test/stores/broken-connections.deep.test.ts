import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { openPostgres } from "../../src/entrypoints/stores/postgres-database.ts";
import { numberIn } from "../../src/stub/stores/database.ts";
import { PostgresForTests } from "./_postgres.ts";

const postgres = new PostgresForTests();

test("a connection that breaks inside a transaction is a fault of the store, and another one replaces it", async () => {
  const url = await postgres.newUrl();
  const [database, other] = [await openPostgres(url, false), new pg.Client(url)];
  await other.connect();
  onTestFinished(async () => {
    await Promise.all([database.close(), other.end()]);
  });
  const broken = database.transaction(async (query) => {
    const [row] = await query("SELECT pg_backend_pid() AS pid");
    const pid = row === undefined ? 0 : numberIn(row, "pid");
    await other.query("SELECT pg_terminate_backend($1)", [pid]);
    await vi.waitFor(async () => {
      const { rows } = await other.query("SELECT pid FROM pg_stat_activity WHERE pid = $1", [pid]);
      expect(rows).toEqual([]);
    });
    await query("SELECT 1 AS one");
  });
  await expect(broken).rejects.toThrow(/terminat|not queryable/);
  expect(await database.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
});
