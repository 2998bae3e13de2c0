import { renameSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { packagedFile } from "../../src/entrypoints/library/files.ts";
import { openStore } from "../../src/entrypoints/stores/open-store.ts";
import { SqliteDatabase } from "../../src/entrypoints/stores/sqlite-database.ts";
import { servingProcess } from "../acceptance/_process.ts";
import { sqliteUrl } from "./_replicas.ts";

const patience = { timeout: 20_000 };
const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };
const user = (id: string) => ({ method: "POST", body: JSON.stringify({ user: { id } }) });
const statusOf = async (url: string, request: RequestInit = {}) => (await fetch(url, { headers, ...request })).status;

const newFile = () => sqliteUrl().slice("sqlite:".length);

/** A database with a table of one row. */
async function opened(file: string): Promise<SqliteDatabase> {
  const database = new SqliteDatabase(file, false);
  onTestFinished(() => database.close());
  await database.query("CREATE TABLE counts (count BIGINT NOT NULL)");
  await database.query("INSERT INTO counts VALUES (0)");
  return database;
}

const count = (database: SqliteDatabase) => database.query("SELECT count FROM counts");
const increment = (database: SqliteDatabase) =>
  database.transaction(async (query) => query("UPDATE counts SET count = count + 1 RETURNING count"));

test("only the owner of a new file can read it, and what SQLite writes beside it", async () => {
  const file = newFile();
  await opened(file);
  for (const name of [file, `${file}-wal`, `${file}-shm`]) expect(statSync(name).mode & 0o777).toBe(0o600);
});

test("while another process has locked the file, the event loop goes on, and reads too", async () => {
  const file = newFile();
  const database = await opened(file);
  const other = new DatabaseSync(file);
  onTestFinished(() => other.close());
  other.exec("BEGIN IMMEDIATE");
  const waiting = increment(database);
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  expect(await count(database)).toEqual([{ count: 0 }]);
  other.exec("COMMIT");
  expect(await waiting).toEqual([{ count: 1 }]);
});

test.each(["IMMEDIATE", "EXCLUSIVE"])(
  "a start with a file that another program has locked (%s) names the file and the remedy",
  async (lock) => {
    const file = newFile();
    const settings = { url: `sqlite:${file}`, isRelaxed: false, folder: "", migrations: packagedFile("migrations") };
    const other = new DatabaseSync(file);
    onTestFinished(() => other.close());
    other.exec(`CREATE TABLE counts (count BIGINT NOT NULL); BEGIN ${lock}`);
    await expect(openStore(settings)).rejects.toMatchObject({
      type: "unreachable",
      message: expect.stringContaining(`${file} is locked by another program that writes to it`),
    });
  },
);

test("a file that stays locked is a fault", async () => {
  const file = newFile();
  const database = await opened(file);
  const other = new DatabaseSync(file);
  onTestFinished(() => other.close());
  other.exec("BEGIN IMMEDIATE");
  await expect(increment(database)).rejects.toThrow("database is locked");
  other.exec("COMMIT");
  expect(await increment(database)).toEqual([{ count: 1 }]);
});

test.each(["", "-wal"])("nothing is read or written while FILE%s is not at its place", async (suffix) => {
  const file = newFile();
  const database = await opened(file);
  renameSync(`${file}${suffix}`, `${file}.moved`);
  await expect(increment(database)).rejects.toThrow(`${file}${suffix} was deleted, moved or replaced`);
  writeFileSync(`${file}${suffix}`, "another file");
  await expect(count(database)).rejects.toThrow(`${file}${suffix} was deleted, moved or replaced`);
  renameSync(`${file}.moved`, `${file}${suffix}`);
  expect(await increment(database)).toEqual([{ count: 1 }]);
});

test("a file that is moved while a transaction runs is found before the transaction is acknowledged", async () => {
  const file = newFile();
  const database = await opened(file);
  const moving = database.transaction(async (query) => {
    await query("UPDATE counts SET count = 7");
    renameSync(file, `${file}.moved`);
  });
  await expect(moving).rejects.toThrow("was deleted, moved or replaced");
});

test("a process whose file is deleted says so, is not ready and acknowledges no change; it goes on when the file is back", async () => {
  const file = newFile();
  const stub = await servingProcess(["--store", `sqlite:${file}`, "--limit", "leaseMs=1000"]);
  renameSync(file, `${file}.moved`);
  await vi.waitFor(async () => expect(await statusOf(`${stub.url}/__understudy/ready`)).toBe(503), patience);
  expect(await statusOf(`${stub.url}/v2/users`, user("zoe"))).toBeGreaterThanOrEqual(500);
  expect(await statusOf(`${stub.url}/__understudy/live`)).toBe(200);
  renameSync(`${file}.moved`, file);
  await vi.waitFor(async () => expect(await statusOf(`${stub.url}/v2/users`, user("yan"))).toBe(200), patience);
  const ended = stub.ended();
  stub.child.kill("SIGTERM");
  expect((await ended).error).toContain(`store: ${file} was deleted, moved or replaced, so changes are not stored.`);
});

test("reads go on in a process whose file another one has locked, and writes when it is free", async () => {
  const file = newFile();
  const { url } = await servingProcess(["--store", `sqlite:${file}`, "--limit", "leaseMs=1000"]);
  const other = new DatabaseSync(file);
  onTestFinished(() => other.close());
  other.exec("BEGIN IMMEDIATE");
  await vi.waitFor(async () => {
    const ready = await fetch(`${url}/__understudy/ready`);
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining("Reads go on")]);
  }, patience);
  expect(await statusOf(`${url}/v2/users`)).toBe(200);
  expect(await statusOf(`${url}/v2/users`, user("zoe"))).toBe(500);
  expect(await statusOf(`${url}/v2/users/zoe`)).toBe(404);
  other.exec("COMMIT");
  await vi.waitFor(async () => expect(await statusOf(`${url}/v2/users`, user("zoe"))).toBe(200), patience);
});
