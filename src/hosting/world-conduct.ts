import type { ConductReport, ConductWatch } from "../conformance/conduct-finding.ts";
import type { ReadBefore } from "../conformance/live-exchange.ts";
import type { Exchange } from "../http/exchange.ts";

const nothing: ConductReport = { findings: [], dropped: 0, faults: [] };

/** The conduct of one world's consumer. Its judge is made with the first exchange, so that a fork costs no more than before. */
export class WorldConduct implements ConductWatch {
  readonly #create: () => ConductWatch;
  #watch: ConductWatch | undefined;

  constructor(create: () => ConductWatch) {
    this.#create = create;
  }

  add(exchange: Exchange, before: ReadBefore): void {
    this.#watch ??= this.#create();
    this.#watch.add(exchange, before);
  }

  report(): ConductReport {
    return this.#watch?.report() ?? nothing;
  }

  /** Forgets what was and begins anew. */
  clear(): void {
    this.#watch = undefined;
  }
}
