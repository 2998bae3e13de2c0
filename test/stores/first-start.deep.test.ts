import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { packagedFile } from "../../src/entrypoints/library/files.ts";
import { openStore } from "../../src/entrypoints/stores/open-store.ts";
import { lockKey } from "../../src/entrypoints/stores/postgres-database.ts";
import { PostgresForTests } from "./_postgres.ts";

const postgres = new PostgresForTests();

test("two replicas that start together on an empty PostgreSQL both open it", async () => {
  const url = await postgres.newUrl();
  const other = new pg.Client(url);
  await other.connect();
  onTestFinished(() => other.end());
  await other.query("BEGIN");
  await other.query("SELECT pg_advisory_xact_lock($1)", [lockKey]);
  await other.query("CREATE SCHEMA understudy");
  const opening = openStore({ url, isRelaxed: false, folder: "", migrations: packagedFile("migrations") });
  const waiting = "SELECT pid FROM pg_locks WHERE NOT granted";
  await vi.waitFor(async () => expect((await other.query(waiting)).rows).toHaveLength(1), { timeout: 20_000 });
  await other.query("COMMIT");
  const { worlds } = await opening;
  expect(await worlds.list()).toEqual([]);
  await worlds.close();
});
