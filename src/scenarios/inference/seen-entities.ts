import type { Json, JsonObject } from "../../foundation/json/json.ts";

/** Limit of entities of one kind in one recording. */
const entitiesMax = 100_000;

/** An entity before the recording, as responses show it. */
export class SeenEntity {
  readonly existed: boolean;
  readonly members: Map<string, Json> = new Map<string, Json>();
  /** The updates that requests made. */
  updates = 0;
  readonly #changed = new Set<string>();
  #isSettled = false;

  constructor(existed: boolean) {
    this.existed = existed;
  }

  /** Notes a member in a response. The first value counts, unless a request changed the member before. */
  show(name: string, value: Json | undefined): void {
    if (value === undefined || value === null || this.#isSettled || this.#changed.has(name)) return;
    if (!this.members.has(name)) this.members.set(name, value);
  }

  /** Notes that a request changed a member: later responses do not show its initial value. */
  change(name: string): void {
    this.#changed.add(name);
  }

  /** Notes a creation or a removal: later responses do not show the initial state. */
  settle(): void {
    this.#isSettled = true;
  }
}

/** The entities of one kind, by id. */
export class SeenEntities {
  readonly #entities = new Map<string, SeenEntity>();

  /** The entity with an id. `existed` says whether it existed before the recording if no earlier response shows it. */
  of(id: string, existed = true): SeenEntity {
    const known = this.#entities.get(id);
    if (known !== undefined) return known;
    const seen = new SeenEntity(existed);
    if (this.#entities.size < entitiesMax) this.#entities.set(id, seen);
    return seen;
  }

  /** The rows of the fixture, by id. */
  rows(rowOf: (id: string, members: ReadonlyMap<string, Json>) => JsonObject): readonly JsonObject[] {
    return [...this.#entities]
      .filter(([id, { existed }]) => existed && id !== "")
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([id, { members }]) => rowOf(id, members));
  }
}
