import { randomBytes } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { ControlTokens } from "../../stub/stores/control-tokens.ts";
import type { Retention } from "../../stub/stores/exchange-store.ts";
import { StoredJournals } from "../../stub/stores/stored-journals.ts";
import { WorldKeeper } from "../../stub/stores/world-keeper.ts";
import { openStore, type StoreSettings } from "./open-store.ts";
import { newReplicaName } from "./replica-name.ts";

/** How a process keeps worlds in a store. */
export interface KeeperSettings extends StoreSettings {
  /** How long this process owns its worlds after its last renewal. */
  readonly leaseMs: number;
  /** Worlds in memory. */
  readonly worldsMax: number;
  /** Bytes of the texts from which the worlds in memory were read. */
  readonly stateBytesMax: number;
  /** How long journals are stored; undefined if they are not. */
  readonly retention?: Retention | undefined;
  /** Called for each failed attempt to use the store. */
  readonly onFault: (fault: unknown) => void;
  /** Called with the ids of worlds that another process may own now. */
  readonly onTakenAway?: ((ids: readonly string[]) => void) | undefined;
}

/** Waits, and does not keep the process alive. */
function wait(durationMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, durationMs).unref();
  });
}

/** What a hosting needs for worlds in a store. */
export interface StoredHosting {
  readonly keeper: WorldKeeper;
  readonly journals: StoredJournals | undefined;
  /** Replicas have no common count of forks. */
  readonly newForkId: () => string;
  /** Named control tokens of all replicas. */
  readonly tokens: ControlTokens;
}

/** Opens a store for this process. Throws a StoreError for a store that cannot be used. */
export async function openKeeper(settings: KeeperSettings): Promise<StoredHosting> {
  const { worlds, exchanges, tokens } = await openStore(settings);
  const { retention } = settings;
  const keeper = new WorldKeeper({
    ...settings,
    store: worlds,
    replica: newReplicaName(),
    nowMs: () => performance.now(),
    wallNowMs: Date.now,
    later: setImmediate,
    wait,
  });
  const journals =
    retention === undefined ? undefined : new StoredJournals({ ...settings, exchanges, retention, wait });
  return { keeper, journals, newForkId: () => randomBytes(5).toString("hex"), tokens };
}
