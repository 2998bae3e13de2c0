import type { ClientReport, ClientRulesWatch } from "../../checker/client-rules/client-finding.ts";
import type { ParsedBodies } from "../../checker/rules/live-exchange.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";

const nothing: ClientReport = { findings: [], dropped: 0, faults: [] };

/**
 * The conduct of one world's consumer. Its judge is made with the first exchange, so that a fork costs no more than before;
 * and an exchange is checked when its response is on its way, or when somebody asks.
 */
export class WorldClientRules implements ClientRulesWatch {
  readonly #create: () => ClientRulesWatch;
  readonly #later: (run: () => void) => void;
  #watch: ClientRulesWatch | undefined;
  #waiting: (readonly [Exchange, ParsedBodies])[] = [];

  constructor(create: () => ClientRulesWatch, later: (run: () => void) => void) {
    this.#create = create;
    this.#later = later;
  }

  add(exchange: Exchange, before: ParsedBodies): void {
    this.#waiting.push([exchange, before]);
    if (this.#waiting.length === 1) this.#later(() => this.#checker());
  }

  report(): ClientReport {
    this.#checker();
    return this.#watch?.report() ?? nothing;
  }

  /** Forgets what was and begins anew. */
  clear(): void {
    this.#checker();
    this.#watch = undefined;
  }

  #checker(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    this.#watch ??= this.#create();
    for (const [exchange, before] of waiting) this.#watch.add(exchange, before);
  }
}
