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

/** The journals of a store. */
export class ExchangeStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(exchanges: readonly StoredExchange[]): Promise<void> {
    await this.#database.query(
      `INSERT INTO exchanges (world, number, at_ms, exchange)
       VALUES ${valuesOf(exchanges.length, ["TEXT", "BIGINT", "BIGINT", "TEXT"])} ON CONFLICT DO NOTHING`,
      exchanges.flatMap(({ world, number, atMs, exchange }) => [world, number, atMs, exchange]),
    );
  }

  /** The newest exchanges of a journal, in order. */
  async newest(world: string, max: number): Promise<readonly StoredExchange[]> {
    const rows = await this.#database.query(
      "SELECT number, at_ms, exchange FROM exchanges WHERE world = $1 ORDER BY number DESC LIMIT $2",
      [world, max],
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

  /** Removes exchanges that are too old, and the oldest of those that are too many. */
  async trim({ ageMs, sizeMax }: Retention): Promise<void> {
    const { nowMs } = this.#database;
    await this.#database.query(`DELETE FROM exchanges WHERE at_ms < ${nowMs} - CAST($1 AS BIGINT)`, [ageMs]);
    await this.#database.query(
      `DELETE FROM exchanges WHERE (world, number) IN (SELECT world, number FROM (
         SELECT world, number, SUM(LENGTH(exchange)) OVER (ORDER BY at_ms DESC, world, number DESC) AS total FROM exchanges
       ) AS sized WHERE total > $1)`,
      [sizeMax],
    );
  }
}
