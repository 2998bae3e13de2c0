import { setTimeout as wait } from "node:timers/promises";
import type { KeptWorlds } from "../../stub/hosting/kept-worlds.ts";
import { defaultWorldId } from "../../stub/hosting/world-id.ts";
import { UnderstudyError } from "./understudy-error.ts";

const pauseMs = 100;

/**
 * Opens the store and waits until this process owns the default world: that of a process that crashed is free when its lease
 * ends. Rejects with an UnderstudyError if another process keeps the world for longer, or the store does not respond.
 */
export async function takeDefaultWorld(kept: KeptWorlds, leaseMs: number): Promise<void> {
  const absent = await kept.open();
  if (absent === undefined) return;
  if (absent.status === 500) throw new UnderstudyError(`option store: ${absent.body.text()}`);
  const waitMsMax = Math.ceil(1.1 * leaseMs);
  const endMs = performance.now() + waitMsMax;
  process.emitWarning(
    `Another process owns the default world of the store. If it crashed, the stub starts when its lease ends, within ${waitMsMax / 1000} seconds.`,
  );
  while ((await kept.take(defaultWorldId)) !== undefined) {
    if (performance.now() >= endMs) throw notTaken(kept);
    await wait(pauseMs);
  }
}

function notTaken({ problem }: KeptWorlds): UnderstudyError {
  if (problem !== undefined) return new UnderstudyError(`option store: ${problem}`, "unreachable");
  return new UnderstudyError(
    "option store: another process uses the default world of this store. Give each process a store of its own, or start one stub and give each process a world of it with fork().",
  );
}
