import { formatJson, isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";

/** Maximum rows, and characters of their texts, in one half of a cache. */
const rowsMaxDefault = 5000;
const charactersMax = 4 * 1024 * 1024;

/**
 * A cache of the JSON of recent rows. Rows are immutable, so JSON and text of a row are built once. When the newer half
 * is full, the older half is dropped.
 */
export class RowCache<Row extends object> {
  #newer = new Map<Row, RowJson>();
  #older: ReadonlyMap<Row, RowJson> = new Map();
  #characters = 0;
  readonly #rowsMax: number;

  constructor(rowsMax: number = rowsMaxDefault) {
    this.#rowsMax = rowsMax;
  }

  /** The JSON of a row, built by `make` unless cached. */
  of(row: Row, make: (row: Row) => JsonObject): JsonObject {
    const newer = this.#newer.get(row);
    if (newer !== undefined) return newer;
    const older = this.#older.get(row);
    const json = older ?? new RowJson(make(row), (characters) => this.#count(characters));
    if (this.#newer.size >= this.#rowsMax || this.#characters >= charactersMax) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#characters = 0;
    }
    this.#newer.set(row, json);
    if (older !== undefined) this.#count(RowJson.charactersOf(older));
    return json;
  }

  #count(characters: number): void {
    this.#characters += characters;
  }
}

/** A row as it is sent: JSON and text. */
export interface SentRow {
  readonly json: Json;
  readonly text: string;
}

/** The JSON of a row, which also caches its text. */
class RowJson implements JsonObject {
  readonly [member: string]: Json;
  readonly #count: (characters: number) => void;
  #sent: SentRow | undefined;

  constructor(members: JsonObject, count: (characters: number) => void) {
    Object.assign(this, members);
    this.#count = count;
  }

  static charactersOf(json: RowJson): number {
    return json.#sent?.text.length ?? 0;
  }

  static sent(json: object, show: (json: JsonObject) => Json): SentRow | undefined {
    if (!(#sent in json)) return undefined;
    if (json.#sent === undefined) {
      const shown = show(json);
      json.#sent = { json: shown, text: formatJson(shown) };
      json.#count(json.#sent.text.length);
    }
    return json.#sent;
  }
}

/** The sent form of a cached row, built by `show` on first use; undefined for any other value. */
export function sentRow(json: Json, show: (json: JsonObject) => Json): SentRow | undefined {
  return isJsonObject(json) ? RowJson.sent(json, show) : undefined;
}
