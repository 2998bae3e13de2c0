import { getHeapStatistics } from "node:v8";
import { parentPort } from "node:worker_threads";
import type { Broken } from "./_broken.ts";
import { walkOf } from "./_simulate.ts";
import { openStock } from "./_stock.ts";

// A thread of a long simulation: it is told a seed, takes its walk and says what came of it, and how much memory it holds.

export type Asked = { readonly type: "walk"; readonly seed: number } | { readonly type: "heap" };

export type Told =
  | { readonly type: "walked"; readonly seed: number; readonly requests: number; readonly broken: readonly Broken[] }
  | { readonly type: "heap"; readonly bytes: number };

const stock = await openStock();

/** Used memory of this thread, after what is garbage is gone where the process can clear it. */
function heapBytes(): number {
  globalThis.gc?.();
  return getHeapStatistics().used_heap_size;
}

async function answer(asked: Asked): Promise<Told> {
  if (asked.type === "heap") return { type: "heap", bytes: heapBytes() };
  const { requests, broken } = await walkOf(asked.seed, stock);
  return { type: "walked", seed: asked.seed, requests, broken };
}

parentPort?.on("message", (asked: Asked) => {
  // What is rejected here is a fault of the simulation itself and ends the thread.
  answer(asked).then(
    (told) => parentPort?.postMessage(told),
    (error: unknown) => {
      throw error;
    },
  );
});
