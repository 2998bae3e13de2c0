import { type Database, numberIn, textIn, valuesOf } from "./database.ts";

/** An exchange of a journal, as `storedEntry` writes it. */
export interface StoredExchange {
  /** The id of the participant of the world. */
  readonly world: string;
  readonly number: number;
  /** Wall time in milliseconds since the epoch. */
  readonly atMs: number;
  readonly exchange: string;
}

/** How long, and up to which size in characters, a store keeps exchanges. */
export interface Retention {
  readonly ageMs: number;
  readonly sizeMax: number;
}

/** Exchanges that one statement removes because there are too many. */
const removedMax = 1000;

/** The journals of a store. */
export class ExchangeStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(exchanges: readonly StoredExchange[]): Promise<void> {
    await this.#database.query(
      `INSERT INTO exchanges (world, number, at_ms, size, exchange)
       VALUES ${valuesOf(exchanges.length, ["TEXT", "BIGINT", "BIGINT", "BIGINT", "TEXT"])} ON CONFLICT DO NOTHING`,
      exchanges.flatMap(({ world, number, atMs, exchange }) => [world, number, atMs, exchange.length, exchange]),
    );
  }

  /** The newest exchanges of a journal up to this age, in order. */
  async newest(world: string, max: number, ageMs: number): Promise<readonly StoredExchange[]> {
    const rows = await this.#database.query(
      `SELECT number, at_ms, exchange FROM exchanges WHERE world = $1 AND at_ms >= ${this.#database.nowMs} - CAST($3 AS BIGINT) ORDER BY number DESC LIMIT $2`,
      [world, max, ageMs],
    );
    return rows
      .map((row) => ({
        world,
        number: numberIn(row, "number"),
        atMs: numberIn(row, "at_ms"),
        exchange: textIn(row, "exchange"),
      }))
      .reverse();
  }

  async clear(world: string): Promise<void> {
    await this.#database.query("DELETE FROM exchanges WHERE world = $1", [world]);
  }

  /** Characters of all exchanges. */
  async size(): Promise<number> {
    const [row] = await this.#database.query("SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) AS total FROM exchanges");
    return row === undefined ? 0 : numberIn(row, "total");
  }

  /** Removes exchanges that are too old, and the oldest of those that are too many. Reads no exchange, but its size. */
  async trim({ ageMs, sizeMax }: Retention): Promise<void> {
    const { nowMs } = this.#database;
    await this.#database.query(`DELETE FROM exchanges WHERE at_ms < ${nowMs} - CAST($1 AS BIGINT)`, [ageMs]);
    let excess = (await this.size()) - sizeMax;
    while (excess > 0) {
      const removed = await this.#removeOldest(excess);
      if (removed === 0) return;
      excess -= removed;
    }
  }

  /**
   * Removes the oldest exchanges up to the first with which their size reaches `excess`, at most `removedMax`. Returns their size.
   * Another process that trims at the same time removes the same exchanges, and no newer ones.
   */
  async #removeOldest(excess: number): Promise<number> {
    const oldest = await this.#database.query(
      "SELECT at_ms, world, number, size FROM exchanges ORDER BY at_ms, world, number LIMIT $1",
      [removedMax],
    );
    let removed = 0;
    const last = oldest.find((row) => {
      removed += numberIn(row, "size");
      return removed >= excess;
    });
    const end = last ?? oldest.at(-1);
    if (end === undefined) return 0;
    await this.#database.query(
      `DELETE FROM exchanges
       WHERE (at_ms, world, number) <= (CAST($1 AS BIGINT), CAST($2 AS TEXT), CAST($3 AS BIGINT))`,
      [numberIn(end, "at_ms"), textIn(end, "world"), numberIn(end, "number")],
    );
    return removed;
  }
}
