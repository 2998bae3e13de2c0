import type { Understudy } from "../src/index.ts";
import { median } from "./medians.ts";

const rounds = 9;
const forksPerRound = 1000;

export interface Forks {
  readonly microseconds: readonly number[];
  /** Heap bytes per fork; meaningful only if Node runs with `--expose-gc`. */
  readonly bytes: readonly number[];
}

/** Measures time and memory of a fork, in rounds of many forks. */
export async function measureForks(understudy: Understudy): Promise<Forks> {
  const [microseconds, bytes]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    const begun = performance.now();
    const forks = Array.from({ length: forksPerRound }, () => understudy.fork());
    microseconds.push(((performance.now() - begun) * 1000) / forksPerRound);
    globalThis.gc?.();
    bytes.push((process.memoryUsage().heapUsed - before) / forksPerRound);
    for (const fork of forks) await fork.close();
  }
  return { microseconds, bytes };
}

export function forksText({ microseconds, bytes }: Forks): string {
  const each = `median of ${rounds} rounds of ${forksPerRound}`;
  return `a fork: ${median(microseconds).toFixed(1)} µs and ${Math.round(median(bytes))} bytes (${each})`;
}
