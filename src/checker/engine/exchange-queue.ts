import type { Exchange } from "../../foundation/http/exchange.ts";
import type { Span } from "../rules/rule.ts";
import { isCachedResponse } from "./is-cached-response.ts";
import { Reordering } from "./reordering.ts";

/** `one-by-one`: the client waited for each response, so the order of exchanges is certain. */
export type Order = "by-time" | "one-by-one";

/** Recordings truncate times to milliseconds. */
const timeSlackMs = 1;

/** Assigns time spans to exchanges and processes them in the order of their start. */
export class ExchangeQueue {
  readonly #order: Order;
  /** Callbacks of exchanges that wait for earlier ones. */
  readonly #waiting = new Reordering<() => void>();
  #count = 0;

  constructor(order: Order) {
    this.#order = order;
  }

  /** Undefined for a cached response, or without a usable time. */
  spanOf(exchange: Exchange): Span | undefined {
    if (this.#order === "by-time") return recordedSpan(exchange);
    if (isCachedResponse(exchange)) return undefined;
    this.#count += 1;
    return { start: this.#count * 2, end: this.#count * 2 + 1 };
  }

  /** Calls `process` after the exchanges that began earlier; `bytes` is the size of the bodies. */
  take(span: Span | undefined, bytes: number, process: () => void): void {
    if (span === undefined || this.#order === "one-by-one") {
      process();
      return;
    }
    this.#waiting.add(process, span.start, bytes);
    for (let next = this.#waiting.overdue(); next !== undefined; next = this.#waiting.overdue()) next();
  }

  /** Processes all waiting exchanges. */
  end(): void {
    for (let next = this.#waiting.first(); next !== undefined; next = this.#waiting.first()) next();
  }
}

/** The time span of a recorded exchange; undefined for a cached response, or without a usable time. */
function recordedSpan(exchange: Exchange): Span | undefined {
  if (isCachedResponse(exchange)) return undefined;
  const { startedAt, durationMs } = exchange;
  const start = Date.parse(startedAt);
  const end = start + durationMs + timeSlackMs;
  return Number.isFinite(end) && durationMs >= 0 ? { start, end } : undefined;
}

/** Approximate bytes of the bodies of an exchange. */
export function bytesOf({ request, response }: Exchange): number {
  const received = response.type === "broken" ? response.partial : response;
  return request.body.storedLength + (received?.body.storedLength ?? 0);
}
