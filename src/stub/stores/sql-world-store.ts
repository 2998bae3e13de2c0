import type { WorldState } from "../../simulator/world/world-state.ts";
import {
  type Database,
  numberIn,
  optionalNumberIn,
  optionalTextIn,
  type Query,
  type SqlRow,
  type SqlValue,
  textIn,
  valuesOf,
} from "./database.ts";
import { partsOf } from "./snapshot-parts.ts";
import { StoredStates } from "./stored-states.ts";
import { unneededChanges } from "./unneeded-changes.ts";
import type {
  AppendedChanges,
  LeaseRenewal,
  NewWorld,
  Ownership,
  StoreBatch,
  StoredWorld,
  TakenWorld,
  Taking,
  WorldStore,
} from "./world-store.ts";

/** Worlds in the tables of `migrations/`. Each statement runs in SQLite and in PostgreSQL. */
export class SqlWorldStore implements WorldStore {
  readonly #database: Database;
  readonly #states: StoredStates;

  constructor(database: Database) {
    this.#database = database;
    this.#states = new StoredStates((sql, parameters) => database.query(sql, parameters));
  }

  async has(id: string): Promise<boolean> {
    const rows = await this.#database.query("SELECT id FROM worlds WHERE id = $1 AND removed_ms IS NULL", [id]);
    return rows.length > 0;
  }

  async create(world: NewWorld): Promise<void> {
    await this.#database.transaction((query) => this.#insert(query, world, null));
  }

  async write({ created, appended, removed }: StoreBatch, replica: string): Promise<readonly Ownership[]> {
    return this.#database.transaction(async (query) => {
      const inserted: NewWorld[] = [];
      for (const world of created) if (await this.#insert(query, world, replica)) inserted.push(world);
      const refused = await this.#append(query, appended);
      for (const world of inserted) refused.push(...(await refusedFork(query, world)));
      for (const world of removed) if (!(await this.#remove(query, world))) refused.push(world);
      await purge(
        query,
        removed.map(({ id }) => id),
      );
      return refused;
    });
  }

  async take(id: string, replica: string): Promise<Taking> {
    const { nowMs } = this.#database;
    const [before] = await this.#database.query("SELECT owner FROM worlds WHERE id = $1", [id]);
    const [row] = await this.#database.query(
      `UPDATE worlds SET owner = $1, fence = fence + 1, wanted_by = NULL
       WHERE id = $2 AND ${isServed(nowMs)} AND (owner = $1 OR ${isFree(nowMs)})
       RETURNING ${takenColumns}`,
      [replica, id],
    );
    if (row === undefined) return this.#want(id, replica);
    const { forks, ...taken } = await this.#taken(id, row, before?.["owner"] === null);
    const size = forks > forksMax ? await this.compact(id, taken.fence, taken.version, taken.state) : undefined;
    return size === undefined ? taken : { ...taken, size: -size, storedSize: size };
  }

  async read(id: string, replica: string): Promise<TakenWorld | undefined> {
    const { nowMs } = this.#database;
    const [row] = await this.#database.query(
      `SELECT ${takenColumns} FROM worlds WHERE id = $2 AND ${isServed(nowMs)} AND (owner = $1 OR ${isFree(nowMs)})`,
      [replica, id],
    );
    return row === undefined ? undefined : this.#taken(id, row, false);
  }

  async #taken(id: string, row: SqlRow, isReleased: boolean): Promise<TakenWorld & { readonly forks: number }> {
    const [fence, version, start] = [numberIn(row, "fence"), numberIn(row, "version"), numberIn(row, "start_version")];
    const started = await this.#states.at(id, start);
    const loaded = await this.#states.at(id, version);
    return {
      type: "taken",
      id,
      fence,
      version,
      state: loaded.state,
      startVersion: start,
      start: started.state,
      sources: [...loaded.sources, ...started.sources],
      size: numberIn(row, "size"),
      isReleased,
      changedMs: numberIn(row, "changed_ms"),
      labels: labelsIn(row),
      expiresMs: optionalNumberIn(row, "expires_ms"),
      creator: optionalTextIn(row, "creator"),
      storedSize: numberIn(row, "stored_size"),
      forks: Math.max(loaded.forks, started.forks),
    };
  }

  async release(ids: readonly string[], replica: string): Promise<void> {
    for (const some of partsOfRows(ids))
      await this.#database.query(
        `UPDATE worlds SET owner = NULL, wanted_by = NULL WHERE owner = $1 AND id IN (${placesFrom(2, some.length)})`,
        [replica, ...some],
      );
  }

  async leave(replica: string): Promise<void> {
    await this.#database.query("DELETE FROM replicas WHERE id = $1", [replica]);
  }

  async renew(replica: string, leaseMs: number): Promise<LeaseRenewal> {
    const { nowMs } = this.#database;
    return this.#database.transaction(async (query) => {
      await query(
        `INSERT INTO replicas (id, expires_ms) VALUES ($1, ${nowMs} + CAST($2 AS BIGINT))
         ON CONFLICT (id) DO UPDATE SET expires_ms = excluded.expires_ms`,
        [replica, leaseMs],
      );
      await query(`DELETE FROM replicas WHERE expires_ms < ${nowMs} - ${forgottenMs}`);
      const removed = await query(
        `UPDATE worlds SET removed_ms = ${nowMs}, fence = fence + 1
         WHERE NOT (${isServed(nowMs)}) AND removed_ms IS NULL AND (owner = $1 OR ${isFree(nowMs)}) RETURNING id, owner`,
        [replica],
      );
      // Two transactions that remove forks of one removed world see each other's fork, and neither deletes their origin.
      const unneeded = await query(
        `SELECT id FROM worlds WHERE removed_ms IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM worlds AS forks WHERE forks.origin = worlds.id)`,
      );
      await purge(
        query,
        unneeded.map((row) => textIn(row, "id")),
      );
      const wanted = await query("SELECT id FROM worlds WHERE owner = $1 AND wanted_by IS NOT NULL", [replica]);
      return {
        removed: removed.filter(({ owner }) => owner === replica).map((row) => textIn(row, "id")),
        wanted: wanted.map((row) => textIn(row, "id")),
      };
    });
  }

  async compact(id: string, fence: number, version: number, state: WorldState): Promise<number | undefined> {
    return this.#database.transaction(async (query) => {
      const owned = await query("SELECT id FROM worlds WHERE id = $1 AND fence = $2 AND version = $3", [
        id,
        fence,
        version,
      ]);
      if (owned.length === 0) return undefined;
      const size = await insertSnapshot(query, id, version, partsOf(state));
      this.#states.remember(id, version, state, size);
      await query("UPDATE worlds SET changes_size = 0, snapshot_size = $1 WHERE id = $2", [size, id]);
      await prune(query, id, version);
      return size;
    });
  }

  async leaseEnd(id: string): Promise<number | undefined> {
    const [row] = await this.#database.query(
      `SELECT expires_ms FROM replicas WHERE id = (SELECT owner FROM worlds WHERE id = $1) AND expires_ms > ${this.#database.nowMs}`,
      [id],
    );
    return row === undefined ? undefined : numberIn(row, "expires_ms");
  }

  async list(): Promise<readonly StoredWorld[]> {
    const { nowMs } = this.#database;
    const rows = await this.#database.query(
      `SELECT *, CASE WHEN ${isFree(nowMs)} THEN NULL ELSE owner END AS current_owner
       FROM worlds WHERE ${isServed(nowMs)} ORDER BY id`,
    );
    return rows.map(storedWorldOf);
  }

  async count(label: string): Promise<number> {
    const [row] = await this.#database.query(
      `SELECT COUNT(*) AS worlds FROM worlds WHERE replace(labels, $1, '') <> labels AND ${isServed(this.#database.nowMs)}`,
      [JSON.stringify(label)],
    );
    return row === undefined ? 0 : numberIn(row, "worlds");
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  /** Notes that a replica was asked for a world that another one owns. */
  async #want(id: string, replica: string): Promise<Taking> {
    const found = await this.#database.query(
      `SELECT wanted_by FROM worlds WHERE id = $1 AND ${isServed(this.#database.nowMs)}`,
      [id],
    );
    if (found.length === 0) return { type: "unknown" };
    if (found[0]?.["wanted_by"] !== replica)
      await this.#database.query("UPDATE worlds SET wanted_by = $1 WHERE id = $2 AND owner IS NOT NULL", [replica, id]);
    return { type: "owned" };
  }

  /** Whether the world was inserted: the store did not have it. */
  async #insert(query: Query, { id, start, ...world }: NewWorld, owner: string | null): Promise<boolean> {
    const [origin, version] = "origin" in start ? [start.origin, start.version] : [null, null];
    const { nowMs } = this.#database;
    const inserted = await query(
      `INSERT INTO worlds (id, origin, origin_version, version, start_version, owner, fence, labels, changes_size, snapshot_size, created_ms, changed_ms, expires_ms, creator)
       VALUES ($1, $2, $3, 0, 0, $4, 1, $5, 0, 0, ${nowMs}, ${nowMs}, $6, $7) ON CONFLICT (id) DO NOTHING RETURNING id`,
      [id, origin, version, owner, JSON.stringify(world.labels), world.expiresMs ?? null, world.creator ?? null],
    );
    if (inserted.length > 0 && "parts" in start) {
      const size = await insertSnapshot(query, id, 0, start.parts);
      await query("UPDATE worlds SET snapshot_size = $1 WHERE id = $2", [size, id]);
    }
    return inserted.length > 0;
  }

  /** Appends the changes of worlds whose fence is current, and returns the others. */
  async #append(query: Query, appended: readonly AppendedChanges[]): Promise<Ownership[]> {
    const refused: Ownership[] = [];
    for (const some of partsOfRows(appended)) refused.push(...(await this.#appendSome(query, some)));
    return refused;
  }

  async #appendSome(query: Query, appended: readonly AppendedChanges[]): Promise<readonly Ownership[]> {
    const rows = appended.map(({ id, fence, version, changes, startVersion }): readonly SqlValue[] => [
      id,
      fence,
      version,
      version + changes.length,
      changes.reduce((sum, { entries }) => sum + entries.length, 0),
      changes.at(-1)?.atMs ?? null,
      startVersion,
    ]);
    const updated = await query(
      `WITH given (id, fence, before, after, size, at_ms, start) AS (VALUES ${valuesOf(rows.length, ["TEXT", "BIGINT", "BIGINT", "BIGINT", "BIGINT", "BIGINT", "BIGINT"])})
       UPDATE worlds SET version = given.after, changes_size = changes_size + given.size, changed_ms = COALESCE(given.at_ms, changed_ms), start_version = given.start FROM given
       WHERE worlds.id = given.id AND worlds.fence = given.fence AND worlds.version IN (given.before, given.after) RETURNING worlds.id, worlds.fence`,
      rows.flat(),
    );
    const written = new Map(updated.map((row) => [textIn(row, "id"), numberIn(row, "fence")]));
    const isWritten = ({ id, fence }: Ownership) => written.get(id) === fence;
    const changes = appended
      .filter(isWritten)
      .flatMap(({ id, version, changes: all }) =>
        all.map(({ entries, atMs }, index): readonly SqlValue[] => [id, version + index + 1, atMs, entries]),
      );
    for (const some of partsOfRows(changes))
      await query(
        `INSERT INTO changes (world, version, at_ms, entries) VALUES ${valuesOf(some.length, ["TEXT", "BIGINT", "BIGINT", "TEXT"])} ON CONFLICT DO NOTHING`,
        some.flat(),
      );
    return appended.filter((each) => !isWritten(each));
  }

  /** Whether the world was removed: its fence is current. */
  async #remove(query: Query, { id, fence }: Ownership): Promise<boolean> {
    const removed = await query(
      `UPDATE worlds SET removed_ms = ${this.#database.nowMs}, owner = NULL, fence = fence + 1 WHERE id = $1 AND fence = $2 RETURNING id`,
      [id, fence],
    );
    return removed.length > 0;
  }
}

const takenColumns = `fence, version, start_version, changed_ms, labels, expires_ms, creator,
  changes_size - snapshot_size AS size, changes_size + snapshot_size AS stored_size`;

/** Rows in one statement: a database limits the number of parameters. */
const rowsMax = 1000;

/** A world that more forks lead to gets a snapshot of its own, so that it and its forks load as fast as others. */
const forksMax = 8;

/** Replicas that ended this long ago are deleted: a day. */
const forgottenMs: number = 24 * 60 * 60 * 1000;

function* partsOfRows<Row>(rows: readonly Row[]): IterableIterator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += rowsMax) yield rows.slice(from, from + rowsMax);
}

/** Whether a world is neither removed nor expired. */
function isServed(nowMs: string): string {
  return `removed_ms IS NULL AND (expires_ms IS NULL OR expires_ms > ${nowMs})`;
}

/** Whether no replica owns a world, or the lease of its owner has expired. */
function isFree(nowMs: string): string {
  return `(owner IS NULL OR NOT EXISTS (SELECT 1 FROM replicas WHERE replicas.id = worlds.owner AND replicas.expires_ms > ${nowMs}))`;
}

function placesFrom(first: number, count: number): string {
  return Array.from({ length: count }, (_, index) => `$${first + index}`).join(", ");
}

/** Writes the state of a world at a version, and returns its size in characters. */
async function insertSnapshot(query: Query, id: string, version: number, parts: Iterable<string>): Promise<number> {
  let [part, size] = [0, 0];
  for (const entries of parts) {
    await query(
      "INSERT INTO snapshots (world, version, part, entries) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
      [id, version, part, entries],
    );
    part += 1;
    size += entries.length;
  }
  return size;
}

/**
 * Deletes a new fork if its origin has another owner or lacks its version. Returns both worlds then. The update locks the origin:
 * another replica that removes it when it has expired sees the fork, or is seen here.
 */
async function refusedFork(query: Query, { id, start }: NewWorld): Promise<readonly Ownership[]> {
  if (!("origin" in start)) return [];
  const { origin, fence, version } = start;
  const found = await query(
    "UPDATE worlds SET fence = fence WHERE id = $1 AND fence = $2 AND version >= $3 RETURNING id",
    [origin, fence, version],
  );
  if (found.length > 0) return [];
  await query("DELETE FROM changes WHERE world = $1", [id]);
  await query("DELETE FROM worlds WHERE id = $1", [id]);
  return [
    { id, fence: 1 },
    { id: origin, fence },
  ];
}

/** Removes the changes and snapshots of a world that neither it nor a fork needs. */
async function prune(query: Query, id: string, version: number): Promise<void> {
  const snapshots = await query("SELECT DISTINCT version FROM snapshots WHERE world = $1", [id]);
  const needed = await query(
    "SELECT origin_version AS version FROM worlds WHERE origin = $1 UNION SELECT start_version FROM worlds WHERE id = $1",
    [id],
  );
  const { ranges, snapshots: unneeded } = unneededChanges(
    snapshots.map((row) => numberIn(row, "version")),
    [...needed.map((row) => numberIn(row, "version")), version],
  );
  for (const [after, until] of ranges)
    await query("DELETE FROM changes WHERE world = $1 AND version > $2 AND version <= $3", [id, after, until]);
  for (const each of unneeded) await query("DELETE FROM snapshots WHERE world = $1 AND version = $2", [id, each]);
}

/** Deletes removed worlds that no other world was forked from, and then those from which they were. */
async function purge(query: Query, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const unneeded = await query(
      `WITH RECURSIVE line (id, origin) AS (
         SELECT id, origin FROM worlds WHERE id = $1 AND removed_ms IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM worlds AS forks WHERE forks.origin = worlds.id) UNION ALL
         SELECT worlds.id, worlds.origin FROM line JOIN worlds ON worlds.id = line.origin
         WHERE worlds.removed_ms IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM worlds AS forks WHERE forks.origin = worlds.id AND forks.id <> line.id))
       SELECT id FROM line`,
      [id],
    );
    for (const some of partsOfRows(unneeded.map((row) => textIn(row, "id")))) {
      const places = placesFrom(1, some.length);
      await query(`DELETE FROM worlds WHERE id IN (${places})`, some);
      await query(`DELETE FROM changes WHERE world IN (${places})`, some);
      await query(`DELETE FROM snapshots WHERE world IN (${places})`, some);
    }
  }
}

function labelsIn(row: SqlRow): readonly string[] {
  const labels: unknown = JSON.parse(textIn(row, "labels"));
  return Array.isArray(labels) ? labels.map(String) : [];
}

function storedWorldOf(row: SqlRow): StoredWorld {
  return {
    id: textIn(row, "id"),
    origin: optionalTextIn(row, "origin"),
    version: numberIn(row, "version"),
    owner: optionalTextIn(row, "current_owner"),
    labels: labelsIn(row),
    size: numberIn(row, "changes_size") + numberIn(row, "snapshot_size"),
    createdMs: numberIn(row, "created_ms"),
    changedMs: numberIn(row, "changed_ms"),
    expiresMs: optionalNumberIn(row, "expires_ms"),
  };
}
