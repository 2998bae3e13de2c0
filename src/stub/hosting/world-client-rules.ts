import type { ConductReport, ConductWatch } from "../../checker/client-rules/client-finding.ts";
import type { ReadBefore } from "../../checker/rules/live-exchange.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";

const nothing: ConductReport = { findings: [], dropped: 0, faults: [] };

/**
 * The conduct of one world's consumer. Its judge is made with the first exchange, so that a fork costs no more than before;
 * and an exchange is judged when its answer is on its way, or when somebody asks.
 */
export class WorldConduct implements ConductWatch {
  readonly #create: () => ConductWatch;
  readonly #later: (run: () => void) => void;
  #watch: ConductWatch | undefined;
  #waiting: (readonly [Exchange, ReadBefore])[] = [];

  constructor(create: () => ConductWatch, later: (run: () => void) => void) {
    this.#create = create;
    this.#later = later;
  }

  add(exchange: Exchange, before: ReadBefore): void {
    this.#waiting.push([exchange, before]);
    if (this.#waiting.length === 1) this.#later(() => this.#judge());
  }

  report(): ConductReport {
    this.#judge();
    return this.#watch?.report() ?? nothing;
  }

  /** Forgets what was and begins anew. */
  clear(): void {
    this.#judge();
    this.#watch = undefined;
  }

  #judge(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    this.#watch ??= this.#create();
    for (const [exchange, before] of waiting) this.#watch.add(exchange, before);
  }
}
