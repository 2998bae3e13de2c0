import { expect, onTestFinished, test } from "vitest";
import { packagedFile } from "../../src/entrypoints/library/files.ts";
import { openStore } from "../../src/entrypoints/stores/open-store.ts";
import { SqliteDatabase } from "../../src/entrypoints/stores/sqlite-database.ts";
import type { Query } from "../../src/stub/stores/database.ts";
import { partsOf } from "../../src/stub/stores/snapshot-parts.ts";
import { SqlWorldStore } from "../../src/stub/stores/sql-world-store.ts";
import { scenarioOf } from "../_scenario.ts";
import { sqliteUrl } from "./_replicas.ts";

const worlds = 300;
const details = { labels: [], expiresMs: undefined, creator: undefined };
const root = scenarioOf("quickstart").initial;

/** A store with worlds, each a fork of the one that `originOf` gives, opened again by a process that counts the statements. */
async function storeOf(originOf: (number: number) => number) {
  const url = sqliteUrl();
  const made = await openStore({ url, isRelaxed: true, folder: "", migrations: packagedFile("migrations") });
  const created = Array.from({ length: worlds }, (_, number) => ({
    id: `w${number}`,
    start: number === 0 ? { parts: [...partsOf(root)] } : { origin: `w${originOf(number)}`, fence: 1, version: 0 },
    ...details,
  }));
  await made.worlds.write({ created, appended: [], removed: [] }, "a");
  await made.worlds.close();
  const database = new SqliteDatabase(url.slice("sqlite:".length), true);
  onTestFinished(() => database.close());
  let statements = 0;
  const counted =
    (query: Query): Query =>
    (...given) => {
      statements += 1;
      return query(...given);
    };
  const store = new SqlWorldStore({
    nowMs: database.nowMs,
    query: counted(database.query),
    transaction: (run) => database.transaction((query) => run(counted(query))),
    exclusively: (run) => database.exclusively((query) => run(counted(query))),
    close: () => database.close(),
  });
  const remove = async (number: number) => {
    const before = statements;
    const taken = await store.take(`w${number}`, "b");
    if (taken.type !== "taken") throw new Error(taken.type);
    await store.write({ created: [], appended: [], removed: [taken] }, "b");
    return statements - before;
  };
  return { store, database, remove };
}

test("worlds of a long chain of forks are removed like others, and all rows are deleted with the last one", async () => {
  const order = Array.from({ length: worlds }, (_, index) => (index * 127 + 150) % worlds);
  const costOf = async (originOf: (number: number) => number) => {
    const { database, remove } = await storeOf(originOf);
    let sum = 0;
    for (const number of order) sum += await remove(number);
    for (const table of ["worlds", "changes", "snapshots"])
      expect(await database.query(`SELECT * FROM ${table}`), table).toEqual([]);
    return sum;
  };
  const flat = await costOf(() => 0);
  expect(await costOf((number) => number - 1)).toBeLessThan(flat * 4);
});

test("a world that many forks lead to gets a snapshot of its own, and keeps its state", async () => {
  const { store, database } = await storeOf((number) => number - 1);
  const last = await store.take(`w${worlds - 1}`, "b");
  expect(last).toMatchObject({ type: "taken", state: { seed: root.seed } });
  const snapshots = await database.query("SELECT DISTINCT world FROM snapshots ORDER BY world");
  expect(snapshots).toEqual([{ world: "w0" }, { world: `w${worlds - 1}` }]);
  const [row] = await database.query(`SELECT snapshot_size AS size FROM worlds WHERE id = 'w${worlds - 1}'`);
  expect(last).toMatchObject({ storedSize: row?.["size"] });
});
