import { chmodSync, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import type { Database, Query, SqlRow, SqlValue } from "../../stub/stores/database.ts";
import { StoreError } from "../../stub/stores/store-error.ts";

/** How long opening waits for another process that writes to the file. The process serves nothing yet. */
const openTimeoutMs = 5000;
/** How long statements are repeated while another process writes to the file. */
const busyMsMax = 2000;
const pauseMsMax = 25;
/** The result code of SQLite for a locked file. The bytes above it hold details. */
const busyCode = 5;

/**
 * The tables with long values, JSON lists. The check of SQLite does not read the last page of a long value. If that is missing, the
 * value does not end with a bracket, or cannot be read.
 */
const tablesOfEntries =
  "SELECT tables.name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns WHERE columns.name = 'entries'";

/** Compiled statements that are kept. */
const statementsMax = 200;

/**
 * A database in a file, by the SQLite of Node. Its log is on disk when a commit returns, unless `isRelaxed`: then the system
 * may lose the newest commits when the machine stops, and none when the process ends. Throws a StoreError for a file that
 * is not a sound database.
 */
export class SqliteDatabase implements Database {
  readonly nowMs = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";
  readonly #database: DatabaseSync;
  /** The file and its log: their paths, with what is there. */
  readonly #files: readonly (readonly [string, string | undefined])[];
  readonly #path: string;
  readonly #statements = new Map<string, StatementSync>();
  /** The end of the statements that were asked for: a transaction may not have those of another one inside. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string, isRelaxed: boolean) {
    this.#path = path;
    const isNew = !existsSync(path);
    const folder = dirname(path);
    if (!existsSync(folder)) throw new StoreError(`there is no folder ${folder}. Create it, or name another file.`);
    // SQLite takes a file of one byte for an empty database.
    if (!isNew && statSync(path).size <= 1)
      throw new StoreError(`${path} is empty and not a store. Delete it to begin a new store.`);
    try {
      this.#database = new DatabaseSync(path, { timeout: openTimeoutMs });
      // The log gets the mode of the file.
      if (isNew) chmodSync(path, 0o600);
      this.#database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${isRelaxed ? "NORMAL" : "FULL"}`);
      this.#checkWhole();
      this.#database.exec("PRAGMA busy_timeout = 0");
      this.#files = [path, `${path}-wal`].map((name) => [name, identityOf(name)]);
    } catch (error) {
      if (isBusy(error)) throw locked(path, error);
      throw new StoreError(
        `${path} cannot be used as a store: ${messageOf(error)}. Restore a copy, or use another file.`,
      );
    }
  }

  readonly query: Query = (sql, parameters) => this.#whenFree(async () => this.#run(sql, parameters));

  transaction<Result>(run: (query: Query) => Promise<Result>): Promise<Result> {
    return this.#whenFree(async () => {
      this.#database.exec("BEGIN IMMEDIATE");
      try {
        const result = await run(async (sql, parameters) => this.#run(sql, parameters));
        this.#database.exec("COMMIT");
        this.#checkFiles();
        return result;
      } catch (error) {
        if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
        throw error;
      }
    });
  }

  /** One transaction writes to a file at a time. */
  exclusively<Result>(run: (query: Query) => Promise<Result>): Promise<Result> {
    return this.transaction(run);
  }

  close(): Promise<void> {
    return this.#inTurn(async () => this.#database.close());
  }

  #run(sql: string, parameters: readonly SqlValue[] = []): readonly SqlRow[] {
    return this.#statement(sql)
      .all(...parameters)
      .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, sqlValueOf(value)])));
  }

  /** The compiled statement. SQLite numbers parameters as `?1`. */
  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql.replaceAll(/\$(\d+)/g, "?$1"));
    if (this.#statements.size >= statementsMax) this.#statements.clear();
    this.#statements.set(sql, statement);
    return statement;
  }

  /** While another process has locked the file, `run` is repeated, and the event loop and other statements go on. */
  async #whenFree<Result>(run: () => Promise<Result>): Promise<Result> {
    const endMs = performance.now() + busyMsMax;
    for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, pauseMsMax)) {
      try {
        return await this.#inTurn(() => {
          this.#checkFiles();
          return run();
        });
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (performance.now() > endMs) throw locked(this.#path, error);
      }
      await wait(pauseMs);
    }
  }

  /** SQLite goes on writing to a file that has no name any more: all that would be lost. */
  #checkFiles(): void {
    for (const [name, identity] of this.#files)
      if (identityOf(name) !== identity)
        throw new Error(
          `${name} was deleted, moved or replaced, so changes are not stored. Put it back, or restart the stub.`,
        );
  }

  #inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(run);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** A file that was cut lacks pages, which would be found only when they are read. */
  #checkWhole(): void {
    const [row] = this.#database.prepare("PRAGMA quick_check(1)").all();
    const found = String(row?.["quick_check"]);
    if (found !== "ok") throw new Error(`it is damaged (${found.split("\n").at(-1)})`);
    const tables = this.#database.prepare(tablesOfEntries).all();
    for (const { name } of tables) {
      const sql = `SELECT 1 FROM ${name} WHERE substr(CAST(entries AS BLOB), -1) <> x'5d' LIMIT 1`;
      if (this.#database.prepare(sql).all().length > 0)
        throw new Error(`it is damaged (the table ${name} lacks pages)`);
    }
  }
}

/** The number of the file at a path, which another file at the same path does not have; undefined without a file. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev} ${found.ino}`;
}

function locked(path: string, cause: unknown): StoreError {
  return new StoreError(
    `${path} is locked by another program that writes to it (${messageOf(cause)}). Close that program, and try again.`,
    "unreachable",
  );
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === busyCode;
}

function sqlValueOf(value: unknown): SqlValue {
  if (typeof value === "string" || typeof value === "number" || value === null) return value;
  throw new Error(`the store has a value of another type: ${typeof value}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
