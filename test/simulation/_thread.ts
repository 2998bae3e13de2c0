import { getHeapStatistics } from "node:v8";
import { parentPort } from "node:worker_threads";
import type { FailedResponse } from "./_broken.ts";
import { walkOf } from "./_simulate.ts";
import { openStock } from "./_stock.ts";

// A thread of a long simulation: it receives a seed, takes its walk, and returns the result and its heap size.

export type Requested = { readonly type: "walk"; readonly seed: number } | { readonly type: "heap" };

export type ThreadResponse =
  | {
      readonly type: "walked";
      readonly seed: number;
      readonly requests: number;
      readonly broken: readonly FailedResponse[];
    }
  | { readonly type: "heap"; readonly bytes: number };

const stock = await openStock();

/** Used memory of this thread, after what is garbage is gone where the process can clear it. */
function heapBytes(): number {
  globalThis.gc?.();
  return getHeapStatistics().used_heap_size;
}

async function response(requested: Requested): Promise<ThreadResponse> {
  if (requested.type === "heap") return { type: "heap", bytes: heapBytes() };
  const { requests, broken } = await walkOf(requested.seed, stock);
  return { type: "walked", seed: requested.seed, requests, broken };
}

parentPort?.on("message", (requested: Requested) => {
  // What is rejected here is a fault of the simulation itself and ends the thread.
  response(requested).then(
    (response) => parentPort?.postMessage(response),
    (error: unknown) => {
      throw error;
    },
  );
});
