import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ControlTokens } from "../../stub/stores/control-tokens.ts";
import type { Database } from "../../stub/stores/database.ts";
import { type Migration, migrate, StoreVersionError } from "../../stub/stores/migrate.ts";
import { SqlControlTokens } from "../../stub/stores/sql-control-tokens.ts";
import { SqlWorldStore } from "../../stub/stores/sql-world-store.ts";
import type { WorldStore } from "../../stub/stores/world-store.ts";
import { packagedFile } from "../library/files.ts";
import { UnderstudyError } from "../library/understudy-error.ts";
import { openPostgres } from "./postgres-database.ts";

/** How a store keeps worlds. */
export interface StoreSettings {
  /** `sqlite:FILE` or `postgres://…`. */
  readonly url: string;
  /** Whether the database may lose its newest commits when its machine stops. */
  readonly isRelaxed: boolean;
  /** Folder against which a relative file is resolved. */
  readonly folder: string;
}

/** What a database keeps: worlds, and the control tokens of all replicas. */
export interface OpenedStore {
  readonly worlds: WorldStore;
  readonly tokens: ControlTokens;
}

/** Opens the worlds of a store and brings its tables up to date. Throws an UnderstudyError for a store that cannot be used. */
export async function openStore(settings: StoreSettings): Promise<WorldStore> {
  return (await openWholeStore(settings)).worlds;
}

/** Opens a store with its control tokens. The worlds close it. Throws like `openStore`. */
export async function openWholeStore(settings: StoreSettings): Promise<OpenedStore> {
  const database = await openDatabase(settings);
  try {
    await migrate(database, migrations());
  } catch (error) {
    await database.close();
    if (error instanceof StoreVersionError) throw new UnderstudyError(`--store: ${error.message}`);
    throw error;
  }
  return { worlds: new SqlWorldStore(database), tokens: new SqlControlTokens(database) };
}

async function openDatabase({ url, isRelaxed, folder }: StoreSettings): Promise<Database> {
  if (/^postgres(?:ql)?:\/\//.test(url)) return openPostgres(url, isRelaxed);
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1];
  if (path === undefined)
    throw new UnderstudyError(
      `--store ${schemeOf(url)}: not a store. Use memory:, sqlite:FILE, or postgres://USER:PASSWORD@HOST:PORT/DATABASE.`,
    );
  const { SqliteDatabase } = await import("./sqlite-database.ts");
  return new SqliteDatabase(resolve(folder, path), isRelaxed);
}

/** The beginning of a URL, without what may be a password. */
function schemeOf(url: string): string {
  return /^[\w.+-]*:?/.exec(url)?.[0] ?? "";
}

/** The numbered files of `migrations/`. */
function migrations(): readonly Migration[] {
  const folder = packagedFile("migrations");
  return readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => ({
      number: Number(file.slice(0, 4)),
      name: file.slice(5, -4),
      sql: readFileSync(join(folder, file), "utf8"),
    }));
}
