import type { WorldState } from "../../simulator/world/world-state.ts";
import type { StateSource } from "./state-source.ts";

/** The version of a world from which another one is forked, and the number under which the replica owns that world. */
interface ForkedVersion {
  readonly origin: string;
  readonly fence: number;
  readonly version: number;
}

/** A state as the texts of `partsOf`. */
interface Snapshot {
  readonly parts: readonly string[];
}

/** A world that is not in the store yet: a fork of a version of another one, or a state of its own. */
export interface NewWorld {
  readonly id: string;
  readonly start: ForkedVersion | Snapshot;
  readonly labels: readonly string[];
  /** Milliseconds since the epoch; undefined for never. */
  readonly expiresMs: number | undefined;
  /** The digest of the named control token that forked it; undefined for the token of the server, and without one. */
  readonly creator: string | undefined;
}

/** What leads to the next version of a world: JSON of a list of entries (`difference.ts`). */
export interface StoredChange {
  readonly entries: string;
  /** Wall time of the change in milliseconds since the epoch, from which a running clock goes on. */
  readonly atMs: number;
}

/** A world and the number under which a replica owns it. */
export interface Ownership {
  readonly id: string;
  readonly fence: number;
}

/** Changes of a world by its owner; the first one leads from `version` to the next. */
export interface AppendedChanges extends Ownership {
  readonly version: number;
  readonly changes: readonly StoredChange[];
  /** The version from which the world starts now. */
  readonly startVersion: number;
}

/** What one transaction writes, in this order. */
export interface StoreBatch {
  readonly created: readonly NewWorld[];
  readonly appended: readonly AppendedChanges[];
  readonly removed: readonly Ownership[];
}

/** A world that a replica owns from now on. */
export interface TakenWorld extends Pick<NewWorld, "id" | "labels" | "expiresMs" | "creator"> {
  readonly type: "taken";
  readonly fence: number;
  readonly version: number;
  readonly state: WorldState;
  /** The version to which a reset leads, with its state. */
  readonly startVersion: number;
  readonly start: WorldState;
  readonly sources: readonly StateSource[];
  /** Characters of the changes since the newest snapshot, less those of the snapshot. */
  readonly size: number;
  /** Whether the last owner gave the world back, with all that it had counted. */
  readonly isReleased: boolean;
  /** Wall time of the last change, in milliseconds since the epoch. */
  readonly changedMs: number;
  /** Characters of its snapshot and of the changes since then. */
  readonly storedSize: number;
}

/** `owned`: another replica owns the world. */
export type Taking = TakenWorld | { readonly type: "owned" } | { readonly type: "unknown" };

/** What a replica learns when it renews its lease. */
export interface LeaseRenewal {
  /** Worlds of this replica that have expired and are removed now. */
  readonly removed: readonly string[];
  /** Worlds of this replica that another one was asked for. */
  readonly wanted: readonly string[];
}

/** A world as a list of the store shows it. */
export interface StoredWorld extends Pick<NewWorld, "id" | "labels" | "expiresMs"> {
  readonly origin: string | undefined;
  readonly version: number;
  /** The replica that owns it; undefined if it is free. */
  readonly owner: string | undefined;
  /** Characters of its snapshot and of the changes since then. */
  readonly size: number;
  readonly createdMs: number;
  readonly changedMs: number;
}

/** Where worlds are kept beyond a process. A world has one owner at a time; writes of an earlier owner are refused. */
export interface WorldStore {
  /** Whether the store has the world. */
  has(id: string): Promise<boolean>;
  /** Creates a world that no replica owns, unless the store has it. */
  create(world: NewWorld): Promise<void>;
  /**
   * Writes a batch for a replica in one transaction. Returns the worlds that it does not own under these numbers any more, of which
   * nothing is written. Writing a batch again appends nothing.
   */
  write(batch: StoreBatch, replica: string): Promise<readonly Ownership[]>;
  /** Makes the replica the owner of a world that is free. */
  take(id: string, replica: string): Promise<Taking>;
  /** A world that the replica owns or could take, without writing anything; undefined if another one owns it. */
  read(id: string, replica: string): Promise<TakenWorld | undefined>;
  /** Gives worlds of the replica back. */
  release(ids: readonly string[], replica: string): Promise<void>;
  /** Ends the lease of the replica: all its worlds are free. */
  leave(replica: string): Promise<void>;
  /** Extends the lease of the replica on all its worlds. */
  renew(replica: string, leaseMs: number): Promise<LeaseRenewal>;
  /**
   * Keeps the state of a version, so that loading reads fewer changes, and removes what nothing needs any more. Returns the size of
   * the state in characters; undefined if the replica does not own the world any more, or a newer version exists.
   */
  compact(id: string, fence: number, version: number, state: WorldState): Promise<number | undefined>;
  /** When the lease of the owner of a world ends, by the clock of the store; undefined if the world is free. */
  leaseEnd(id: string): Promise<number | undefined>;
  list(): Promise<readonly StoredWorld[]>;
  /** The number of worlds with a label. */
  count(label: string): Promise<number>;
  close(): Promise<void>;
}
