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
