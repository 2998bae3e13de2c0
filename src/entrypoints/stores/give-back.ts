import { setTimeout as wait } from "node:timers/promises";
import type { KeptWorlds } from "../../stub/hosting/kept-worlds.ts";

/** How long a process that ends waits for its store. */
const patienceMsDefault = 10_000;

/**
 * Gives all worlds of this process back and closes the store. It does not wait long for a store that does not respond: it
 * resolves to the problem then, and to undefined if the worlds are given back.
 */
export async function giveBack(
  kept: Pick<KeptWorlds, "close">,
  patienceMs: number = patienceMsDefault,
): Promise<string | undefined> {
  const patience = new AbortController();
  const isGivenBack = await Promise.race([
    kept.close().then(() => true),
    wait(patienceMs, false, { signal: patience.signal }),
  ]).finally(() => patience.abort());
  if (isGivenBack) return undefined;
  return `The store did not respond within ${patienceMs / 1000} seconds, so the worlds are not given back. Another process can take them when the lease ends.`;
}
