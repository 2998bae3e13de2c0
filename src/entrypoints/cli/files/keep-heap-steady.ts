import type { Environment } from "../options.ts";

/**
 * Fits the heap to a stub, whose journal drops the oldest exchange with each new one. V8 sees that exchanges survive, and then
 * allocates parts of them directly in the old generation, where a dropped one keeps all that it refers to until the next full
 * collection: every exchange is copied, instead of the newest thousand. Helper threads of a collection start late on a
 * busy machine, and the process waits for them. By default the old generation grows to several times the memory in use.
 */
export function keepHeapSteady(environment: Environment): void {
  environment.manageMemory([
    "--no-allocation-site-pretenuring",
    "--no-parallel-scavenge",
    "--heap-growing-percent=100",
  ]);
}
