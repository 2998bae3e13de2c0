import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { performance } from "node:perf_hooks";
import type { CountedLimits } from "../../../foundation/limits/counted-limits.ts";
import { MemoryControlTokens } from "../../../stub/control/memory-control-tokens.ts";
import type { Hosting } from "../../../stub/hosting/hosting.ts";
import type { ControlTokens } from "../../../stub/stores/control-tokens.ts";
import { WorldKeeper } from "../../../stub/stores/world-keeper.ts";
import { UnderstudyError } from "../../library/understudy-error.ts";
import { type OpenedStore, openWholeStore } from "../../stores/open-store.ts";
import { oneOf } from "../flags/one-of.ts";
import { wholeNumber } from "../flags/whole-number.ts";
import { choiceFlag, type Environment, type Flag, inGroup, type Options, rare, textFlag } from "../options.ts";
import { exitCodes, UserError } from "../user-error.ts";

const durabilities = ["strict", "relaxed"] as const;
const leaseSecondsDefault = 5;

/** Flags of the store. */
export const storeFlags: readonly Flag[] = inGroup("Store", [
  textFlag(
    "store",
    "URL",
    "where worlds are kept: memory: (default), sqlite:FILE, or postgres://USER:PASSWORD@HOST:PORT/DATABASE",
  ),
  rare(
    choiceFlag(
      "durability",
      "MODE",
      durabilities,
      "strict (default) stores a change before its response is sent; relaxed does not wait, and a crash may lose the newest changes",
    ),
  ),
  rare(
    textFlag(
      "lease",
      "SECONDS",
      `time after which another replica takes over the worlds of one that died (default ${leaseSecondsDefault})`,
    ),
  ),
]);

/** Options of a hosting that keeps its worlds in the store of the flags; none for worlds in memory. */
export interface StoredHosting {
  readonly keeper: WorldKeeper | undefined;
  readonly newForkId: (() => string) | undefined;
  /** Named control tokens: those of all replicas, or of this process. */
  readonly tokens: ControlTokens;
}

/** Opens the store of the flags. Throws a UserError for a store that cannot be used. */
export async function storedHosting(
  options: Options,
  environment: Environment,
  limits: CountedLimits,
): Promise<StoredHosting> {
  const url = options.text("store") ?? "memory:";
  if (url === "memory:") return { keeper: undefined, newForkId: undefined, tokens: new MemoryControlTokens(Date.now) };
  const isRelaxed = oneOf("durability", options.text("durability") ?? "strict", durabilities) === "relaxed";
  const leaseMs = 1000 * wholeNumber(options, "lease", { byDefault: leaseSecondsDefault, min: 1, max: 3600 });
  const { worlds, tokens } = await opened(url, isRelaxed, options);
  const keeper = new WorldKeeper({
    store: worlds,
    replica: `${hostname()}-${process.pid}-${randomBytes(4).toString("hex")}`,
    leaseMs,
    isRelaxed,
    worldsMax: limits.values.worldsMax,
    nowMs: () => performance.now(),
    wallNowMs: Date.now,
    later: setImmediate,
    wait: (durationMs) =>
      new Promise((resolve) => {
        setTimeout(resolve, durationMs).unref();
      }),
    onFault: (fault) => environment.printError(`store: ${fault instanceof Error ? fault.message : String(fault)}`),
  });
  // Replicas have no common count of forks.
  return { keeper, newForkId: () => randomBytes(5).toString("hex"), tokens };
}

async function opened(url: string, isRelaxed: boolean, { folder }: Options): Promise<OpenedStore> {
  try {
    return await openWholeStore({ url, isRelaxed, folder });
  } catch (error) {
    if (!(error instanceof UnderstudyError)) throw error;
    throw new UserError(error.message, error.type === "unreachable" ? exitCodes.unreachable : exitCodes.usage);
  }
}

/** Takes the default world out of the store before the server listens. */
export async function openWorlds({ kept }: Hosting, { printError }: Environment): Promise<void> {
  if (kept === undefined) return;
  kept.onOtherStart = () =>
    printError(
      "The default world of the store began with other files and keeps its state. To start it again with these, send POST /__understudy/worlds/default/reset.",
    );
  await kept.open();
}
