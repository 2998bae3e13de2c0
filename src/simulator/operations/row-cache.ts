import { formatJson, type Json, type JsonObject } from "../../foundation/json/json.ts";
import type { Shape } from "../../foundation/spec/shape.ts";
import { GenerationCache } from "../../foundation/text/generation-cache.ts";

/** Maximum rows, and characters of their texts, in one generation of a cache. */
const rowsMax = 5000;
const charactersMax = 4 * 1024 * 1024;

/** A cache of the JSON of recent rows. Rows are immutable, so JSON and text of a row are built once. */
export class RowCache<Row extends object> {
  readonly #rows = new GenerationCache<Row, CachedRow>(
    { entriesMax: rowsMax, sizeMax: charactersMax },
    ({ characters }) => characters,
  );
  readonly #count = (characters: number): void => this.#rows.grow(characters);

  /** The row with its JSON, built by `make` unless cached. */
  of(row: Row, make: (row: Row) => JsonObject): CachedRow {
    const known = this.#rows.get(row);
    if (known !== undefined) return known;
    const cached = new CachedRow(make(row), this.#count);
    this.#rows.set(row, cached);
    return cached;
  }
}

/** The JSON and the text that a schema makes of a row. */
interface SentRow {
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
