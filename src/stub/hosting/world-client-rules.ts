import type { ClientReport, ClientRulesWatch } from "../../checker/client-rules/client-finding.ts";
import type { ParsedExchange } from "../../checker/rules/read-exchange.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";

const nothing: ClientReport = { findings: [], dropped: 0, faults: [] };

/**
 * Checks the client of one world against the client rules. The watch is created with the first exchange, so an unused fork
 * costs nothing. An exchange is checked after its response is sent, or when a report is requested.
 */
export class WorldClientRules implements ClientRulesWatch {
  readonly #create: () => ClientRulesWatch;
  readonly #later: (run: () => void) => void;
  #watch: ClientRulesWatch | undefined;
  #waiting: (readonly [Exchange, ParsedExchange])[] = [];

  constructor(create: () => ClientRulesWatch, later: (run: () => void) => void) {
    this.#create = create;
    this.#later = later;
  }

  add(exchange: Exchange, before: ParsedExchange): void {
    this.#waiting.push([exchange, before]);
    if (this.#waiting.length === 1) this.#later(() => this.#checkWaiting());
  }

  report(): ClientReport {
    this.#checkWaiting();
    return this.#watch?.report() ?? nothing;
  }

  /** Checks the waiting exchanges and drops all findings. */
  clear(): void {
    this.#checkWaiting();
    this.#watch = undefined;
  }

  #checkWaiting(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    this.#watch ??= this.#create();
    for (const [exchange, before] of waiting) this.#watch.add(exchange, before);
  }
}
