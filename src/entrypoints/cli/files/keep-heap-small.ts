import type { Environment } from "../options.ts";

/**
 * Limits the heap for commands that read recordings of any size. Queued exchanges outlive a young generation of any size,
 * so a large one only uses memory. The old generation is collected after it grows by 150 %; by default V8 lets it grow to
 * several times the memory in use. A smaller percentage costs time and saves hardly any memory
 * (docs/decisions/checker-speed.md).
 */
export function keepHeapSmall(environment: Environment): void {
  environment.manageMemory(["--semi-space-growth-factor=1", "--heap-growing-percent=150"]);
}

/**
 * Keeps the heap of a stub near its size when it is ready. By default V8 doubles the young generation of a busy process, up to
 * 128 MB, and lets the old generation grow to several times the memory in use. On a busy machine, a small young generation is
 * collected faster without helper threads, which the process would wait for.
 */
export function keepHeapSteady(environment: Environment): void {
  environment.manageMemory(["--semi-space-growth-factor=1", "--heap-growing-percent=100", "--no-parallel-scavenge"]);
}
