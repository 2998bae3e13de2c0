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

/** Requests that are printed in one second of wall time; further ones are counted. */
const linesPerSecondMax = 100;
/** Exchanges that are read from the journal of a world at once. */
const readMax = 1000;
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
  readonly #nowMs: () => number;
  readonly #later: (run: () => void) => void;
  #findings = new Map<Exchange, readonly Finding[]>();
  /** Worlds with new exchanges. */
  readonly #touched = new Set<string>();
  readonly #printed = new WeakMap<object, Printed>();
  #second = { startMs: 0, lines: 0, hidden: 0 };

  constructor(
    environment: Pick<Environment, "print" | "isColoured">,
    nowMs: () => number,
    later: (run: () => void) => void,
  ) {
    this.#environment = environment;
    this.#nowMs = nowMs;
    this.#later = later;
  }

  /** Watches the worlds of a hosting. */
  watch(hosting: Hosting): void {
    hosting.observe((worldId) => {
      this.#touched.add(worldId);
      if (this.#touched.size === 1) this.#later(() => this.#print(hosting));
    });
  }

  /** Adds a client finding, which is printed below the line of its exchange. */
  find(finding: Finding, exchange: Exchange): void {
    this.#findings.set(exchange, [...(this.#findings.get(exchange) ?? []), finding]);
  }

  #print(hosting: Hosting): void {
    const ids = [...this.#touched];
    this.#touched.clear();
    for (const id of ids) this.#printWorld(hosting, id);
    // Findings about exchanges that were printed before.
    for (const [exchange, findings] of this.#findings) {
      this.#environment.print(
        `${indent}about ${exchange.request.method} ${targetOf(exchange, maskOfExchange(exchange, undefined))}`,
      );
      for (const finding of findings) this.#environment.print(this.#findingLine(finding));
    }
    this.#findings = new Map();
  }

  #printWorld(hosting: Hosting, id: string): void {
    const hosted = hosting.worlds.get(id);
    if (hosted === undefined) return;
    const { journal, world } = hosted;
    const known = this.#printed.get(journal);
    const last = known?.epoch === journal.epoch ? known.last : 0;
    for (const { entry } of journal.after(last, readMax)) this.#printEntry(entry, id, world);
    this.#printed.set(journal, { epoch: journal.epoch, last: journal.last });
  }

  #printEntry(entry: JournalEntry, worldId: string, world: HostedWorld["world"]): void {
    const findings = this.#findings.get(entry) ?? [];
    this.#findings.delete(entry);
    if (this.#isTooMany()) return;
    const mask = maskOfExchange(entry, world);
    this.#environment.print(this.#requestLine(entry, worldId, targetOf(entry, mask)));
    for (const note of notesOf(entry, mask)) this.#environment.print(`${indent}${note}`);
    for (const finding of findings) this.#environment.print(this.#findingLine(finding));
  }

  /** Counts a line. A new second begins with the number of requests that were not printed in the one before. */
  #isTooMany(): boolean {
    const nowMs = this.#nowMs();
    if (nowMs - this.#second.startMs >= 1000) {
      const { hidden } = this.#second;
      if (hidden > 0) this.#environment.print(`${indent}… and ${hidden} more ${hidden === 1 ? "request" : "requests"}`);
      this.#second = { startMs: nowMs, lines: 0, hidden: 0 };
    }
    if (this.#second.lines >= linesPerSecondMax) {
      this.#second.hidden += 1;
      return true;
    }
    this.#second.lines += 1;
    return false;
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

/** The newest exchange of a journal that was printed. */
interface Printed {
  readonly epoch: number;
  readonly last: number;
}

function targetOf({ request }: Exchange, mask: Mask): string {
  return shortened(printable(mask(request.target)), targetLengthMax);
}

function notesOf(entry: JournalEntry, mask: Mask): readonly string[] {
  const found = reasonOf(entry);
  const reason = found === undefined ? undefined : printable(mask(found));
  if (entry.response.isPlanned === true) return [`injected fault${reason === undefined ? "" : `: ${reason}`}`];
  return reason === undefined ? [] : [reason];
}
