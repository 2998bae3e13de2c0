import type { Environment } from "../options.ts";

/**
 * Fits the heap to a stub, whose journal drops the oldest exchange with each new one. With pretenuring, V8 would allocate
 * parts of exchanges directly in the old generation, and a dropped exchange would keep all that it refers to until the next
 * full collection. A young generation that stays as large as it is when the stub is ready uses less memory and has shorter
 * collections. Their helper threads start late on a busy machine, and the process waits for them. By default the old
 * generation grows to several times the memory in use.
 */
export function keepHeapSteady(environment: Environment): void {
  environment.manageMemory([
    "--no-allocation-site-pretenuring",
    "--semi-space-growth-factor=1",
    "--no-parallel-scavenge",
    "--heap-growing-percent=100",
  ]);
}
