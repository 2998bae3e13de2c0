import { utf8Length } from "../../foundation/text/utf8.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";
import { numberIn, optionalNumberIn, type Query, type SqlRow, textIn } from "./database.ts";
import { entriesOfJson, type TableEntry, withEntries } from "./difference.ts";
import { isWorldState } from "./is-world-state.ts";
import { type StateSource, sourceBytes } from "./state-source.ts";

/** States that are kept in memory, with the bytes from which they were read. Forks of the same version share one. */
const [keptMax, keptBytesMax] = [32, 8 * 1024 * 1024];

interface KeptState {
  readonly state: WorldState;
  readonly sources: readonly StateSource[];
}

/** A state, and the number of forks from the snapshot from which it was computed. */
interface LoadedState extends KeptState {
  readonly forks: number;
}

/** Loads states of worlds from their snapshots and changes. */
export class StoredStates {
  readonly #query: Query;
  /** By world and version; the oldest first. A version never changes. */
  readonly #kept = new Map<string, KeptState>();

  constructor(query: Query) {
    this.#query = query;
  }

  /** The state of a world at a version, with the number of forks that lead to it. Throws an Error if the store does not have all that it needs. */
  async at(id: string, version: number): Promise<LoadedState> {
    const kept = this.#kept.get(keyOf(id, version));
    if (kept !== undefined) return { ...kept, forks: 0 };
    const base = await this.#baseOf(id, version);
    const changes = await this.#query(
      "SELECT version, entries FROM changes WHERE world = $1 AND version > $2 AND version <= $3 ORDER BY version",
      [id, base.version, version],
    );
    if (changes.length !== version - base.version)
      throw new UnreadableWorld(`the store lacks changes of the world ${id} before version ${version}`);
    const state = stateOf(base.state, changes, id);
    const sources = changes.length === 0 ? base.sources : [...base.sources, sourceOf(changes)];
    this.#remember(id, version, { state, sources });
    return { state, sources, forks: base.forks };
  }

  /** Keeps the state of a snapshot of this many bytes. */
  remember(id: string, version: number, state: WorldState, bytes: number): void {
    this.#remember(id, version, { state, sources: [{ bytes }] });
  }

  #remember(id: string, version: number, kept: KeptState): void {
    this.#kept.delete(keyOf(id, version));
    this.#kept.set(keyOf(id, version), kept);
    for (const oldest of this.#kept.keys()) {
      const isWithin = this.#kept.size <= keptMax && sourceBytes(this.#kept.values()) <= keptBytesMax;
      if (isWithin || this.#kept.size === 1) return;
      this.#kept.delete(oldest);
    }
  }

  /** The newest snapshot up to a version, else the version of the origin from which the world was forked. */
  async #baseOf(id: string, version: number): Promise<LoadedState & { readonly version: number }> {
    const [snapshot] = await this.#query(
      "SELECT MAX(version) AS version FROM snapshots WHERE world = $1 AND version <= $2",
      [id, version],
    );
    const newest = snapshot === undefined ? undefined : optionalNumberIn(snapshot, "version");
    if (newest !== undefined) return { ...(await this.#snapshot(id, newest)), version: newest, forks: 0 };
    const [row] = await this.#query("SELECT origin, origin_version FROM worlds WHERE id = $1 AND origin IS NOT NULL", [
      id,
    ]);
    if (row === undefined) throw new UnreadableWorld(`the store has no state of the world ${id}`);
    const base = await this.at(textIn(row, "origin"), numberIn(row, "origin_version"));
    return { ...base, version: 0, forks: base.forks + 1 };
  }

  async #snapshot(id: string, version: number): Promise<KeptState> {
    const known = this.#kept.get(keyOf(id, version));
    if (known !== undefined) return known;
    const parts = await this.#query("SELECT entries FROM snapshots WHERE world = $1 AND version = $2 ORDER BY part", [
      id,
      version,
    ]);
    const read = { state: stateOf(undefined, parts, id), sources: [sourceOf(parts)] };
    this.#remember(id, version, read);
    return read;
  }
}

function keyOf(id: string, version: number): string {
  return `${id} ${version}`;
}

function sourceOf(rows: readonly SqlRow[]): StateSource {
  return { bytes: rows.reduce((sum, row) => sum + utf8Length(textIn(row, "entries")), 0) };
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
