import type { WorldState } from "../../simulator/world/world-state.ts";
import { differenceOf } from "./difference.ts";
import type { StateSource } from "./state-source.ts";
import type { AppendedChanges, StoredChange, TakenWorld } from "./world-store.ts";

/** The version of a world that is compared with its current state. */
export type HeldVersion = Pick<
  TakenWorld,
  "id" | "fence" | "version" | "state" | "startVersion" | "start" | "size" | "storedSize" | "sources"
>;

/** The state of a world at a version. */
interface WorldVersion {
  readonly version: number;
  readonly state: WorldState;
}

/** A world that this process owns: what the store has of it, and what is to be written. */
export class HeldWorld {
  readonly id: string;
  readonly fence: number;
  readonly sources: readonly StateSource[];
  /** The state that the process serves. */
  readonly current: () => WorldState;
  /** The number of the renewal of the lease before the last request. */
  lastUsed: number;
  /** Until when this process may serve the world although its lease has lapsed. */
  confirmedUntilMs = 0;
  /** Requests that wait until their changes are stored. */
  waiting = 0;
  /** Characters of the changes since the newest snapshot, less those of the snapshot. */
  size: number;
  /** Characters of the newest snapshot and of the changes since then. */
  storedSize: number;
  #start: WorldVersion;
  #newest: WorldVersion;
  #changes: StoredChange[] = [];
  #isRestarted = false;

  constructor(stored: HeldVersion, current: () => WorldState, lastUsed: number) {
    this.id = stored.id;
    this.fence = stored.fence;
    this.sources = stored.sources;
    this.current = current;
    this.lastUsed = lastUsed;
    this.size = stored.size;
    this.storedSize = stored.storedSize;
    this.#start = { version: stored.startVersion, state: stored.start };
    this.#newest = { version: stored.version, state: stored.state };
  }

  /** The version from which the world starts. */
  get start(): WorldVersion {
    return this.#start;
  }

  /** The newest version, which is not the current state if requests have changed it since. */
  get newest(): WorldVersion {
    return this.#newest;
  }

  /** The current state as a version: what leads to it becomes a change of its own. */
  cut(atMs: number): WorldVersion {
    const state = this.current();
    const entries = differenceOf(this.#newest.state, state);
    const isChanged = entries.length > 0;
    if (isChanged) {
      const change = { entries: JSON.stringify(entries), atMs };
      this.#changes.push(change);
      this.size += change.entries.length;
      this.storedSize += change.entries.length;
    }
    this.#newest = { version: this.#newest.version + (isChanged ? 1 : 0), state };
    return this.#newest;
  }

  /** Makes the current state the start of the world. */
  restart(atMs: number): void {
    this.#start = this.cut(atMs);
    this.#isRestarted = true;
  }

  /** Whether requests since the newest version have changed something, even if only their count. */
  get isChanged(): boolean {
    return this.#changes.length > 0 || this.current().counter !== this.#newest.state.counter;
  }

  /** All changes up to the current state; undefined if there are none. */
  takeChanges(atMs: number): AppendedChanges | undefined {
    const version = this.cut(atMs).version - this.#changes.length;
    if (this.#changes.length === 0 && !this.#isRestarted) return undefined;
    const [changes, startVersion] = [this.#changes, this.#start.version];
    [this.#changes, this.#isRestarted] = [[], false];
    return { id: this.id, fence: this.fence, version, changes, startVersion };
  }
}
