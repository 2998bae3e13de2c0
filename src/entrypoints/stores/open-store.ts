import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ControlTokens } from "../../stub/stores/control-tokens.ts";
import { type Database, textIn } from "../../stub/stores/database.ts";
import { ExchangeStore } from "../../stub/stores/exchange-store.ts";
import { migrate, type StoreMigration } from "../../stub/stores/migrate.ts";
import { SqlControlTokens } from "../../stub/stores/sql-control-tokens.ts";
import { SqlWorldStore } from "../../stub/stores/sql-world-store.ts";
import { StoreError } from "../../stub/stores/store-error.ts";
import type { WorldStore } from "../../stub/stores/world-store.ts";
import { openPostgres } from "./postgres-database.ts";
import { hasEnded } from "./replica-name.ts";

/** How a store keeps worlds. */
export interface StoreSettings {
  /** `sqlite:FILE` or `postgres://…`. */
  readonly url: string;
  /** Whether the database may lose its newest commits when its machine stops. */
  readonly isRelaxed: boolean;
  /** Folder against which a relative file is resolved. */
  readonly folder: string;
  /** Folder of the numbered files that make the tables. */
  readonly migrations: string;
}

/** A store whose tables are up to date. */
interface OpenedStore {
  readonly worlds: WorldStore;
  readonly exchanges: ExchangeStore;
  /** The control tokens of all replicas. */
  readonly tokens: ControlTokens;
}

/** Opens a store and brings its tables up to date. Throws a StoreError for a store that cannot be used. */
export async function openStore(settings: StoreSettings): Promise<OpenedStore> {
  const database = await openDatabase(settings);
  try {
    await migrate(database, migrationsIn(settings.migrations));
    // Processes that share a file run on one machine.
    if (!isPostgres(settings.url)) await endLeases(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    worlds: new SqlWorldStore(database),
    exchanges: new ExchangeStore(database),
    tokens: new SqlControlTokens(database),
  };
}

async function openDatabase({ url, isRelaxed, folder }: StoreSettings): Promise<Database> {
  if (isPostgres(url)) return openPostgres(url, isRelaxed);
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1];
  if (path === undefined)
    throw new StoreError(
      // A file name has no @, which stands behind a password.
      /^[^@]+\.(?:db|sqlite3?)$/i.test(url)
        ? `the value is a file without its scheme. Use sqlite:${url}`
        : // The value may be a password.
          "the value is not the URL of a store. Use memory:, sqlite:FILE, or postgres://USER:PASSWORD@HOST:PORT/DATABASE.",
    );
  const { SqliteDatabase } = await import("./sqlite-database.ts");
  return new SqliteDatabase(resolve(folder, path), isRelaxed);
}

function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(url);
}

/** Ends the leases of processes that have ended, such as by kill -9: their worlds are free at once. */
async function endLeases(database: Database): Promise<void> {
  const replicas = await database.query("SELECT id FROM replicas");
  for (const id of replicas.map((row) => textIn(row, "id")).filter(hasEnded))
    await database.query("DELETE FROM replicas WHERE id = $1", [id]);
}

function migrationsIn(folder: string): readonly StoreMigration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => ({
      number: Number(file.slice(0, 4)),
      name: file.slice(5, -4),
      sql: readFileSync(join(folder, file), "utf8"),
    }));
}
