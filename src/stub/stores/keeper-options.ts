import type { WorldStore } from "./world-store.ts";

/** What a keeper of worlds needs. */
export interface KeeperOptions {
  readonly store: WorldStore;
  /** A name that no other process has. */
  readonly replica: string;
  /** How long the process owns its worlds after its last renewal. */
  readonly leaseMs: number;
  /** Whether responses are sent before their changes are stored. */
  readonly isRelaxed: boolean;
  /** Worlds in memory. Those that were not used for longest are given back when there are more. */
  readonly worldsMax: number;
  /** Bytes of the texts from which the worlds in memory were read. */
  readonly stateBytesMax: number;
  /** A clock that is never set back. */
  readonly nowMs: () => number;
  readonly wallNowMs: () => number;
  readonly later: (run: () => void) => void;
  /** Waits, and does not keep the process alive. */
  readonly wait: (durationMs: number) => Promise<void>;
  readonly onFault: (fault: unknown) => void;
  /** Called with the ids of worlds that another process may own now. */
  readonly onTakenAway?: ((ids: readonly string[]) => void) | undefined;
}

/** Counts of a keeper since its start. */
export interface KeeperCounts {
  readonly worlds: number;
  readonly commits: number;
  readonly changes: number;
  readonly commitMs: number;
  readonly faults: number;
  readonly lost: number;
}
