import { formatJson, type Json, type JsonObject } from "../../foundation/json/json.ts";
import type { Shape } from "../../foundation/spec/shape.ts";

/** Maximum rows, and characters of their texts, in one half of a cache. */
const rowsMaxDefault = 5000;
const charactersMax = 4 * 1024 * 1024;

/**
 * A cache of the JSON of recent rows. Rows are immutable, so JSON and text of a row are built once. When the newer half
 * is full, the older half is dropped.
 */
export class RowCache<Row extends object> {
  #newer = new Map<Row, CachedRow>();
  #older: ReadonlyMap<Row, CachedRow> = new Map();
  #characters = 0;
  readonly #rowsMax: number;
  readonly #count = (characters: number): void => {
    this.#characters += characters;
  };

  constructor(rowsMax: number = rowsMaxDefault) {
    this.#rowsMax = rowsMax;
  }

  /** The row with its JSON, built by `make` unless cached. */
  of(row: Row, make: (row: Row) => JsonObject): CachedRow {
    const newer = this.#newer.get(row);
    if (newer !== undefined) return newer;
    const older = this.#older.get(row);
    const cached = older ?? new CachedRow(make(row), this.#count);
    if (this.#newer.size >= this.#rowsMax || this.#characters >= charactersMax) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#characters = 0;
    }
    this.#newer.set(row, cached);
    if (older !== undefined) this.#count(older.characters);
    return cached;
  }
}

/** The JSON and the text that a schema makes of a row. */
export interface SentRow {
  readonly shape: Shape | undefined;
  readonly json: Json;
  readonly text: string;
}

/** A row of the state as JSON, with the form in which it was last sent. */
export class CachedRow {
  readonly json: JsonObject;
  readonly #count: (characters: number) => void;
  #sent: SentRow | undefined;

  constructor(json: JsonObject, count: (characters: number) => void) {
    this.json = json;
    this.#count = count;
  }

  /** Characters of its text. */
  get characters(): number {
    return this.#sent?.text.length ?? 0;
  }

  /** The row in the form of a schema, made by `show`; cached until it is requested in another one. */
  sent(shape: Shape | undefined, show: (shape: Shape | undefined, json: JsonObject) => Json): SentRow {
    if (this.#sent === undefined || this.#sent.shape !== shape) {
      const [json, before] = [show(shape, this.json), this.characters];
      this.#sent = { shape, json, text: formatJson(json) };
      this.#count(this.characters - before);
    }
    return this.#sent;
  }
}
