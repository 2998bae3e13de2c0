import type { Pool, PoolClient } from "pg";
import type { Database, Query, SqlRow, SqlValue } from "../../stub/stores/database.ts";
import { StoreError } from "../../stub/stores/store-error.ts";

/** Connections of a process: one writes, the others load worlds and renew the lease. */
const connectionsMax = 4;
const connectTimeoutMs = 5000;
/** A statement that takes longer fails: its network is gone. */
const statementTimeoutMs = 10_000;
/** The key of the lock under which tables are created. */
export const lockKey = 7_210_531;

/** The type of int8 in PostgreSQL. Its values here are below 2^53. */
const int8 = 20;

/**
 * A database of PostgreSQL, in the schema `understudy` of the database that the URL names. A commit is on disk when it returns,
 * unless `isRelaxed`. The module `pg` is loaded here. Throws a StoreError if it is not installed or the server does not respond.
 */
export async function openPostgres(url: string, isRelaxed: boolean): Promise<Database> {
  const { default: pg } = await import("pg").catch(() => {
    throw new StoreError("A store in PostgreSQL needs the module pg, which is not installed: npm install pg");
  });
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: statementTimeoutMs,
    keepAlive: true,
    allowExitOnIdle: true,
    types: {
      getTypeParser: (type: number, format?: "text" | "binary") =>
        type === int8 ? Number : pg.types.getTypeParser(type, format),
    },
    // The server ends the locks of a process whose network is gone. A statement_timeout would acknowledge a commit that no standby has.
    lock_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    options: `-c search_path=understudy -c synchronous_commit=${isRelaxed ? "off" : "on"}`,
  });
  // A connection that breaks fails the statement that uses it, and the pool replaces it.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  const database = new PostgresDatabase(pool);
  try {
    // Without the lock, one of two processes that create it at the same time gets an error.
    await database.exclusively((query) => query("CREATE SCHEMA IF NOT EXISTS understudy"));
  } catch (error) {
    await pool.end();
    const problem = error instanceof Error ? error.message : String(error);
    throw new StoreError(
      `The database of --store does not respond: ${problem}. Check its host, port, name, user and password.`,
      "unreachable",
    );
  }
  return database;
}

class PostgresDatabase implements Database {
  readonly nowMs = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)";
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  readonly query: Query = (sql, parameters) => rowsOf(this.#pool, sql, parameters);

  async transaction<Result>(run: (query: Query) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect();
    try {
      await client.query("BEGIN");
      const result = await run((sql, parameters) => rowsOf(client, sql, parameters));
      await client.query("COMMIT");
      client.release();
      return result;
    } catch (error) {
      // A rollback would wait for a server that does not respond. The end of the connection rolls back too.
      client.release(true);
      throw error;
    }
  }

  exclusively<Result>(run: (query: Query) => Promise<Result>): Promise<Result> {
    return this.transaction(async (query) => {
      await query("SELECT 1 AS locked FROM pg_advisory_xact_lock($1)", [lockKey]);
      return run(query);
    });
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

async function rowsOf(
  connection: Pick<Pool | PoolClient, "query">,
  sql: string,
  parameters: readonly SqlValue[] = [],
): Promise<readonly SqlRow[]> {
  const { rows } = await connection.query<Record<string, SqlValue>>(sql, [...parameters]);
  return rows;
}
