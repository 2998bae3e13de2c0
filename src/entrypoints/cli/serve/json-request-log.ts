import type { HostedWorld } from "../../../stub/hosting/hosted-world.ts";
import type { Hosting } from "../../../stub/hosting/hosting.ts";
import { type JournalEntry, reasonOf } from "../../../stub/journal/journal-entry.ts";
import { maskOfExchange } from "../../../stub/journal/shown-exchange.ts";
import type { Environment } from "../options.ts";
import { LineBudget, linesPerSecondMax } from "./line-budget.ts";
import { NewExchanges } from "./new-exchanges.ts";

/** Logs an event for each request that a stub has answered, after the response is sent. */
export class JsonRequestLog {
  /** Findings are events of their own. */
  readonly findings = undefined;
  readonly #print: (event: object) => void;
  readonly #budget: LineBudget;
  readonly #exchanges: NewExchanges;

  constructor({ print }: Pick<Environment, "print">, nowMs: () => number, later: (run: () => void) => void) {
    this.#print = (event) => print(JSON.stringify(event));
    this.#budget = new LineBudget(linesPerSecondMax, nowMs, (count) =>
      this.#print({ event: "requests-omitted", count }),
    );
    this.#exchanges = new NewExchanges({
      later,
      onExchange: (entry, worldId, world) => {
        if (this.#budget.take()) this.#print(requestEvent(entry, worldId, world));
      },
    });
  }

  watch(hosting: Hosting): void {
    this.#exchanges.watch(hosting);
  }
}

function requestEvent(entry: JournalEntry, worldId: string, world: HostedWorld["world"]): object {
  const { startedAt, durationMs, operationId, request, response } = entry;
  const mask = maskOfExchange(entry, world);
  const reason = reasonOf(entry);
  return {
    at: startedAt,
    event: "request",
    world: worldId,
    method: request.method,
    target: mask(request.target),
    operationId,
    status: response.type === "response" ? response.status : response.kind,
    durationMs,
    reason: reason === undefined ? undefined : mask(reason),
    isInjected: response.isPlanned,
  };
}
