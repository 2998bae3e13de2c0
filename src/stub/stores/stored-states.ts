import type { WorldState } from "../../simulator/world/world-state.ts";
import { numberIn, type Query, type SqlRow, textIn } from "./database.ts";
import { entriesOfJson, type TableEntry, withEntries } from "./difference.ts";
import { isWorldState } from "./is-world-state.ts";

/** States that are kept in memory. Forks of the same version share one. */
const keptMax = 32;

/** A state, and the number of forks from the snapshot from which it was computed. */
interface LoadedState {
  readonly state: WorldState;
  readonly forks: number;
}

/** Loads states of worlds from their snapshots and changes. */
export class StoredStates {
  readonly #query: Query;
  /** By world and version; the oldest first. A version never changes. */
  readonly #kept = new Map<string, WorldState>();

  constructor(query: Query) {
    this.#query = query;
  }

  /** The state of a world at a version, with the number of forks that lead to it. Throws an Error if the store does not have all that it needs. */
  async at(id: string, version: number): Promise<LoadedState> {
    const kept = this.#kept.get(keyOf(id, version));
    if (kept !== undefined) return { state: kept, forks: 0 };
    const base = await this.#baseOf(id, version);
    const changes = await this.#query(
      "SELECT version, entries FROM changes WHERE world = $1 AND version > $2 AND version <= $3 ORDER BY version",
      [id, base.version, version],
    );
    if (changes.length !== version - base.version)
      throw new UnreadableWorld(`the store lacks changes of the world ${id} before version ${version}`);
    const state = stateOf(base.state, changes, id);
    this.remember(id, version, state);
    return { state, forks: base.forks };
  }

  remember(id: string, version: number, state: WorldState): void {
    this.#kept.delete(keyOf(id, version));
    this.#kept.set(keyOf(id, version), state);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > keptMax && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** The newest snapshot up to a version, else the version of the origin from which the world was forked. */
  async #baseOf(id: string, version: number): Promise<LoadedState & { readonly version: number }> {
    const parts = await this.#query(
      `SELECT version, entries FROM snapshots WHERE world = $1
       AND version = (SELECT MAX(version) FROM snapshots WHERE world = $1 AND version <= $2) ORDER BY part`,
      [id, version],
    );
    const [part] = parts;
    if (part !== undefined)
      return { version: numberIn(part, "version"), state: stateOf(undefined, parts, id), forks: 0 };
    const [row] = await this.#query("SELECT origin, origin_version FROM worlds WHERE id = $1 AND origin IS NOT NULL", [
      id,
    ]);
    if (row === undefined) throw new UnreadableWorld(`the store has no state of the world ${id}`);
    const { state, forks } = await this.at(textIn(row, "origin"), numberIn(row, "origin_version"));
    return { version: 0, state, forks: forks + 1 };
  }
}

function keyOf(id: string, version: number): string {
  return `${id} ${version}`;
}

function entriesIn(row: SqlRow): readonly TableEntry[] {
  return entriesOfJson(JSON.parse(textIn(row, "entries")));
}

/** A world of which the store does not have what it needs, or that it has in another form. */
export class UnreadableWorld extends Error {}

/** The state after the entries of the rows. */
function stateOf(base: unknown, rows: readonly SqlRow[], id: string): WorldState {
  try {
    const state = withEntries(base, rows.flatMap(entriesIn));
    if (isWorldState(state)) return state;
  } catch (cause) {
    throw new UnreadableWorld(`the stored world ${id} is not readable`, { cause });
  }
  throw new UnreadableWorld(`the stored world ${id} lacks parts of a world`);
}
