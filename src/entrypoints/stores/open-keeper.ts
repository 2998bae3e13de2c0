import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { performance } from "node:perf_hooks";
import { WorldKeeper } from "../../stub/stores/world-keeper.ts";
import { openStore, type StoreSettings } from "./open-store.ts";

/** How long a replica owns its worlds after its last renewal. */
export const leaseMsDefault = 5000;

/** How a process keeps worlds in a store. */
export interface KeeperSettings extends StoreSettings {
  readonly leaseMs: number;
  /** Worlds in memory. */
  readonly worldsMax: number;
  /** Called for each failed attempt to use the store. */
  readonly onFault: (fault: unknown) => void;
}

/** What a hosting needs for worlds in a store. */
export interface StoredHosting {
  readonly keeper: WorldKeeper;
  /** Replicas have no common count of forks. */
  readonly newForkId: () => string;
}

/** Opens a store for this process. Throws a StoreError for a store that cannot be used. */
export async function openKeeper(settings: KeeperSettings): Promise<StoredHosting> {
  const keeper = new WorldKeeper({
    ...settings,
    store: await openStore(settings),
    replica: `${hostname()}-${process.pid}-${randomBytes(4).toString("hex")}`,
    nowMs: () => performance.now(),
    wallNowMs: Date.now,
    later: setImmediate,
    wait: (durationMs) =>
      new Promise((resolve) => {
        setTimeout(resolve, durationMs).unref();
      }),
  });
  return { keeper, newForkId: () => randomBytes(5).toString("hex") };
}
