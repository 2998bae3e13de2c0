import type { CountedLimits } from "../../../foundation/limits/counted-limits.ts";
import { limitList } from "../../../foundation/limits/limits.ts";
import { durationMs } from "../../../foundation/text/duration.ts";
import { MemoryControlTokens } from "../../../stub/control/memory-control-tokens.ts";
import type { Hosting } from "../../../stub/hosting/hosting.ts";
import type { KeptWorlds } from "../../../stub/hosting/kept-worlds.ts";
import { defaultWorldId } from "../../../stub/hosting/world-id.ts";
import type { ControlTokens } from "../../../stub/stores/control-tokens.ts";
import type { Retention } from "../../../stub/stores/exchange-store.ts";
import { StoreError } from "../../../stub/stores/store-error.ts";
import { packagedFile } from "../../library/files.ts";
import { oneOf } from "../../programs/one-of.ts";
import { exitCodes, UserError } from "../../programs/user-error.ts";
import { giveBack } from "../../stores/give-back.ts";
import type { StoredHosting } from "../../stores/open-keeper.ts";
import { numberOf } from "../flags/named-numbers.ts";
import {
  choiceFlag,
  type Environment,
  type Flag,
  inGroup,
  type NamedNumber,
  type Options,
  rare,
  textFlag,
} from "../options.ts";
import { limitFlag } from "../server/limit-flags.ts";
import { storeLog } from "./store-log.ts";

const leaseLimit: NamedNumber = {
  name: "leaseMs",
  unit: "ms",
  byDefault: 5000,
  min: 1000,
  max: 3_600_000,
  quantity: "time after which another replica takes over the worlds of one that died",
  needs: "store",
};
const storedJournalLimit: NamedNumber = {
  name: "storedJournalBytesMax",
  unit: "bytes",
  byDefault: 1_000_000_000,
  min: 1_000_000,
  max: 1_000_000_000_000,
  quantity: "size of the stored journals, in all worlds",
  needs: "keep-journal",
};

/** The limits of `serve`: those of a stub, and of its store. */
export const serveLimitFlag: Flag = limitFlag([...limitList, leaseLimit, storedJournalLimit]);

const durabilities = ["strict", "relaxed"] as const;

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
      "keep-journal",
      "DURATION",
      "keep the journal in the store for this time, such as PT168H (default: in memory alone)",
    ),
  ),
]);

/** How long journals are stored. Throws a UserError for a value that is not a duration. */
function retentionOf(options: Options): Retention | undefined {
  const text = options.text("keep-journal");
  if (text === undefined) return undefined;
  const ageMs = durationMs(text);
  if (ageMs === undefined || ageMs === 0)
    throw new UserError(`--keep-journal ${text}: not a duration above zero. Use PT168H, for example.`);
  return { ageMs, sizeMax: numberOf(options, serveLimitFlag, storedJournalLimit) };
}

/** Opens the store of the flags; undefined for worlds in memory. Throws a UserError for a store that cannot be used. */
export async function storedHosting(
  options: Options,
  environment: Environment,
  limits: CountedLimits,
): Promise<StoredHosting | undefined> {
  const url = options.text("store") ?? "memory:";
  if (url === "memory:") return undefined;
  const isRelaxed = oneOf("--durability", options.text("durability") ?? "strict", durabilities) === "relaxed";
  const { openKeeper } = await import("../../stores/open-keeper.ts");
  try {
    return await openKeeper({
      url,
      isRelaxed,
      folder: options.folder,
      migrations: packagedFile("migrations"),
      leaseMs: numberOf(options, serveLimitFlag, leaseLimit),
      worldsMax: limits.values.worldsMax,
      stateBytesMax: limits.values.stateBytesMax,
      retention: retentionOf(options),
      ...storeLog(options, environment),
    });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const exitCode = error.type === "unreachable" ? exitCodes.unreachable : exitCodes.usage;
    throw new UserError(`--store: ${error.message}`, exitCode);
  }
}

/** Named control tokens: those of the store, or of this process alone. */
export function tokensOf(store: StoredHosting | undefined): ControlTokens {
  return store?.tokens ?? new MemoryControlTokens(Date.now);
}

/** Opens the store, then starts the server. If that fails, the worlds are given back. */
export async function openWorlds<Server>(
  hosting: Hosting,
  environment: Pick<Environment, "printError">,
  start: () => Promise<Server>,
): Promise<Server> {
  try {
    await openStored(hosting, environment);
    return await start();
  } catch (error) {
    await closeWorlds(hosting.kept, environment);
    throw error;
  }
}

async function openStored({ kept }: Hosting, { printError }: Pick<Environment, "printError">): Promise<void> {
  if (kept === undefined) return;
  kept.onOtherStart = () =>
    printError(
      "The default world of the store began with other files and keeps its state. To start it again with these, send POST /__understudy/worlds/default/reset.",
    );
  await kept.open();
}

/**
 * Waits for the default world of a process that may have been killed: until this process serves it, its owner renews the lease, or
 * the time of a lease is over.
 */
export async function untilServed(
  { kept }: Hosting,
  store: StoredHosting | undefined,
  { printError }: Pick<Environment, "printError">,
): Promise<void> {
  if (kept === undefined || (await kept.take(defaultWorldId)) === undefined) return;
  await store?.keeper.untilFree(defaultWorldId);
  const absent = await kept.take(defaultWorldId);
  if (absent?.status === 500) printError(absent.body.text());
  else if (absent !== undefined)
    printError(
      kept.problem ??
        "Another replica owns the default world of the store. Requests for it get 503 here until that replica gives it back or its lease ends. For worlds of its own, name another --store.",
    );
}

/** Gives the worlds back. It does not wait long for a store that does not respond. */
export async function closeWorlds(
  kept: Pick<KeptWorlds, "close"> | undefined,
  { printError }: Pick<Environment, "printError">,
  patienceMs?: number,
): Promise<void> {
  const problem = kept === undefined ? undefined : await giveBack(kept, patienceMs);
  if (problem !== undefined) printError(problem);
}
