import type { Environment } from "../options.ts";

/**
 * For commands that read recordings of any size. What waits for its turn outlives a young generation of any size, so a
 * large one only takes memory; and the old one is to be cleared when it has grown by four fifths, where V8 would let it
 * grow to several times what is in use. Less takes more time and hardly less memory (docs/decisions/checker-speed.md). A
 * stub does without, since those who ask it would wait for the clearing (docs/performance.md).
 */
export function keepHeapSmall(environment: Environment): void {
  environment.manageMemory(["--semi-space-growth-factor=1", "--heap-growing-percent=80"]);
}
