import type { Environment } from "../options.ts";

/**
 * Keeps the heap of a stub near its size when it is ready. By default V8 doubles the young generation of a busy process, up to
 * 128 MB, and lets the old generation grow to several times the memory in use. A small young generation is collected without
 * helper threads: on a busy machine the helper threads start late, and the process waits for them.
 */
export function keepHeapSteady(environment: Environment): void {
  environment.manageMemory(["--semi-space-growth-factor=1", "--heap-growing-percent=100", "--no-parallel-scavenge"]);
}
