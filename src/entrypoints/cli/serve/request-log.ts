import type { ClientFinding } from "../../../checker/client-rules/client-finding.ts";
import { red, yellow } from "../../../checker/reports/formats/terminal.ts";
import type { Exchange } from "../../../foundation/http/exchange.ts";
import type { Mask } from "../../../foundation/secrets/mask.ts";
import { printable } from "../../../foundation/text/printable.ts";
import { shortened } from "../../../foundation/text/shortened.ts";
import type { HostedWorld } from "../../../stub/hosting/hosted-world.ts";
import type { Hosting } from "../../../stub/hosting/hosting.ts";
import { defaultWorldId } from "../../../stub/hosting/world-id.ts";
import { type JournalEntry, reasonOf } from "../../../stub/journal/journal-entry.ts";
import { maskOfExchange } from "../../../stub/journal/shown-exchange.ts";
import type { Environment } from "../options.ts";
import { LineBudget, linesPerSecondMax } from "./line-budget.ts";
import { NewExchanges } from "./new-exchanges.ts";

const targetLengthMax = 120;
const indent = " ".repeat(14);

/** A client finding with the exchange in which it was found. */
type Finding = Pick<ClientFinding, "rule" | "severity" | "expected" | "actual" | "advice">;

/**
 * Prints a line for each request that a stub has answered, and below it the reason of a refusal, injected faults and client
 * findings. Lines are printed after the response is sent.
 */
export class RequestLog {
  readonly #environment: Pick<Environment, "print" | "isColoured">;
  readonly #budget: LineBudget;
  readonly #exchanges: NewExchanges;
  #findings = new Map<Exchange, readonly Finding[]>();

  constructor(
    environment: Pick<Environment, "print" | "isColoured">,
    nowMs: () => number,
    later: (run: () => void) => void,
  ) {
    this.#environment = environment;
    this.#budget = new LineBudget(linesPerSecondMax, nowMs, (count) =>
      environment.print(`${indent}… and ${count} more ${count === 1 ? "request" : "requests"}`),
    );
    this.#exchanges = new NewExchanges({
      later,
      onExchange: (entry, worldId, world) => this.#printEntry(entry, worldId, world),
      onRead: () => this.#printFindings(),
    });
  }

  /** Watches the worlds of a hosting. */
  watch(hosting: Hosting): void {
    this.#exchanges.watch(hosting);
  }

  /** Adds a client finding, which is printed below the line of its exchange. */
  find(finding: Finding, exchange: Exchange): void {
    this.#findings.set(exchange, [...(this.#findings.get(exchange) ?? []), finding]);
  }

  /** Prints findings about exchanges that were printed before. */
  #printFindings(): void {
    for (const [exchange, findings] of this.#findings) {
      this.#environment.print(
        `${indent}about ${exchange.request.method} ${targetOf(exchange, maskOfExchange(exchange, undefined))}`,
      );
      for (const finding of findings) this.#environment.print(this.#findingLine(finding));
    }
    this.#findings = new Map();
  }

  #printEntry(entry: JournalEntry, worldId: string, world: HostedWorld["world"]): void {
    const findings = this.#findings.get(entry) ?? [];
    this.#findings.delete(entry);
    if (!this.#budget.take()) return;
    const mask = maskOfExchange(entry, world);
    this.#environment.print(this.#requestLine(entry, worldId, targetOf(entry, mask)));
    for (const note of notesOf(entry, mask)) this.#environment.print(`${indent}${note}`);
    for (const finding of findings) this.#environment.print(this.#findingLine(finding));
  }

  #requestLine(entry: JournalEntry, worldId: string, target: string): string {
    const { startedAt, durationMs, request, response, operationId } = entry;
    const status = response.type === "response" ? String(response.status) : response.kind;
    const isProblem = response.type !== "response" || response.status >= 400;
    return [
      startedAt.slice(11, 23),
      request.method.padEnd(6),
      target,
      isProblem && this.#environment.isColoured ? yellow(status) : status,
      `${Math.round(durationMs)} ms`,
      operationId ?? "",
      worldId === defaultWorldId ? "" : `(world ${worldId})`,
    ]
      .filter((part) => part !== "")
      .join("  ");
  }

  #findingLine({ rule, severity, expected, actual, advice }: Finding): string {
    const { isColoured } = this.#environment;
    const word = isColoured ? (severity === "error" ? red : yellow)("client rule") : "client rule";
    return `${indent}${word} ${printable(`${rule} (${severity}): expected ${expected}; actual ${actual}. ${advice}`)}`;
  }
}

function targetOf({ request }: Exchange, mask: Mask): string {
  return shortened(printable(mask(request.target)), targetLengthMax);
}

function notesOf(entry: JournalEntry, mask: Mask): readonly string[] {
  const reason = reasonOf(entry);
  return reason === undefined ? [] : [printable(mask(reason))];
}
