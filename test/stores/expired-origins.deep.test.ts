import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { packagedFile } from "../../src/entrypoints/library/files.ts";
import { openStore } from "../../src/entrypoints/stores/open-store.ts";
import { openPostgres } from "../../src/entrypoints/stores/postgres-database.ts";
import type { Database } from "../../src/stub/stores/database.ts";
import { partsOf } from "../../src/stub/stores/snapshot-parts.ts";
import { SqlWorldStore } from "../../src/stub/stores/sql-world-store.ts";
import { scenarioOf } from "../_scenario.ts";
import { Gate } from "./_altered-store.ts";
import { PostgresForTests } from "./_postgres.ts";

const postgres = new PostgresForTests();
const details = { labels: [], expiresMs: undefined, creator: undefined };

/** A database whose transactions wait at a gate before they are committed. */
function waitingToCommit(database: Database, gate: Gate): Database {
  return {
    nowMs: database.nowMs,
    query: database.query,
    transaction: (run) =>
      database.transaction(async (query) => {
        const result = await run(query);
        await gate.pass();
        return result;
      }),
    exclusively: (run) => database.exclusively(run),
    close: () => database.close(),
  };
}

test("a world that expires while another replica stores a fork of it is kept for the fork", async () => {
  const url = await postgres.newUrl();
  const { worlds } = await openStore({ url, isRelaxed: false, folder: "", migrations: packagedFile("migrations") });
  const [database, client] = [await openPostgres(url, false), new pg.Client(url)];
  await client.connect();
  onTestFinished(async () => {
    await Promise.all([worlds.close(), database.close(), client.end()]);
  });
  await worlds.create({ id: "origin", start: { parts: [...partsOf(scenarioOf("quickstart").initial)] }, ...details });
  const taken = await worlds.take("origin", "a");
  await client.query("UPDATE understudy.worlds SET expires_ms = 1");
  const gate = new Gate();
  const fork = { id: "fork", start: { origin: "origin", fence: 2, version: 0 }, ...details };
  const forking = new SqlWorldStore(waitingToCommit(database, gate)).write(
    { created: [fork], appended: [], removed: [] },
    "a",
  );
  await gate.reached;
  const expired = worlds.renew("b", 1000);
  const isBlocked = vi.waitFor(async () => {
    const { rows } = await client.query("SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
    expect(rows).not.toEqual([]);
  });
  await Promise.race([expired, isBlocked]);
  gate.open();
  expect([taken.type, await forking]).toEqual(["taken", []]);
  await expired;
  const { rows } = await client.query("SELECT id FROM understudy.worlds ORDER BY id");
  expect(rows).toEqual([{ id: "fork" }, { id: "origin" }]);
});
