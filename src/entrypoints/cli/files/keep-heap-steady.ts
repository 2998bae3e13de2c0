import type { Environment } from "../options.ts";

/**
 * Fits the heap to a stub, whose journal drops the oldest exchange with each new one. With pretenuring, V8 would allocate
 * parts of exchanges directly in the old generation, and a dropped exchange would keep all that it refers to until the next
 * full collection. Helper threads of a collection start late on a busy machine, and the process waits for them. By default
 * the old generation grows to several times the memory in use.
 */
export function keepHeapSteady(environment: Environment): void {
  environment.manageMemory([
    "--no-allocation-site-pretenuring",
    "--no-parallel-scavenge",
    "--heap-growing-percent=100",
  ]);
}
