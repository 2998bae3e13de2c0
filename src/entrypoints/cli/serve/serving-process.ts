import { setTimeout as wait } from "node:timers/promises";
import type { ProcessUsage, ServerProcess } from "../../../stub/control/server-process.ts";
import { wholeNumber } from "../flags/whole-number.ts";
import { type Flag, type Options, rare, textFlag } from "../options.ts";

export const drainFlag: Flag = {
  ...rare(
    textFlag(
      "drain",
      "SECONDS",
      "when stopped, serve for this time while /__understudy/ready responds with 503 (default 0)",
    ),
  ),
  group: "Server",
};

/** The process of `serve`, as probes and metrics see it. */
export class ServingProcess implements ServerProcess {
  readonly #drainMs: number;
  #isStopping = false;

  constructor(options: Options) {
    this.#drainMs = 1000 * wholeNumber(options, "drain", { byDefault: 0, min: 0, max: 3600 });
  }

  isStopping(): boolean {
    return this.#isStopping;
  }

  usage(): ProcessUsage {
    const { rss, heapUsed } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    return {
      startSeconds: performance.timeOrigin / 1000,
      cpuSeconds: (user + system) / 1_000_000,
      residentBytes: rss,
      heapUsedBytes: heapUsed,
    };
  }

  /** Makes the stub not ready, and leaves a proxy the time to send requests elsewhere. */
  async drain(): Promise<void> {
    this.#isStopping = true;
    if (this.#drainMs > 0) await wait(this.#drainMs);
  }
}
