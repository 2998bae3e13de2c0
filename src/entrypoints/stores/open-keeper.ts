import { randomBytes } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { ControlTokens } from "../../stub/stores/control-tokens.ts";
import type { Retention } from "../../stub/stores/exchange-store.ts";
import type { KeeperOptions } from "../../stub/stores/keeper-options.ts";
import { StoredJournals } from "../../stub/stores/stored-journals.ts";
import { WorldKeeper } from "../../stub/stores/world-keeper.ts";
import { openStore, type StoreSettings } from "./open-store.ts";
import { newReplicaName } from "./replica-name.ts";

/** How a process keeps worlds in a store. */
export interface KeeperSettings
  extends StoreSettings,
    Pick<KeeperOptions, "leaseMs" | "worldsMax" | "stateBytesMax" | "onFault" | "onTakenAway"> {
  /** How long journals are stored; undefined if they are not. */
  readonly retention?: Retention | undefined;
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
