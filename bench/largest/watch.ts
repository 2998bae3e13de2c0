// Loaded into the stub that `largest.ts` measures. At each message it sends the figures since the last one.
import { monitorEventLoopDelay } from "node:perf_hooks";

/** What one input costs. Milliseconds. */
export interface InputCost {
  /** Processor time of the process, with garbage collection. */
  readonly cpuMs: number;
  /** The longest time in which the event loop did nothing else. */
  readonly delayMs: number;
}

const resolution = 1;
const delay = monitorEventLoopDelay({ resolution });
delay.enable();
let before = process.cpuUsage();

process.on("message", () => {
  // A turn of the loop later, since the monitor notes a delay with its next timer.
  setTimeout(() => {
    const { user, system } = process.cpuUsage(before);
    process.send?.({ cpuMs: (user + system) / 1000, delayMs: Math.max(0, delay.max / 1e6 - resolution) });
    delay.reset();
    before = process.cpuUsage();
  }, 5);
});
process.channel?.unref();
