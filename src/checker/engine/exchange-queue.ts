import type { Exchange } from "../../foundation/http/exchange.ts";
import { readTimestamp } from "../../foundation/text/timestamp.ts";
import type { Span } from "../rules/rule.ts";
import { isCachedResponse } from "./is-cached-response.ts";

/** `one-by-one`: the client waited for each response, so the order of exchanges is certain. */
export type Order = "by-time" | "one-by-one";

/** Exchanges that may wait for earlier ones. */
export const reorderedMax = 1000;
/** Bytes of bodies that may wait for earlier ones. */
const reorderedBytesMax: number = 32 * 1024 * 1024;

interface Waiting {
  readonly process: () => void;
  readonly start: number;
  readonly bytes: number;
}

/** Assigns time spans to exchanges and processes them in the order of their start. */
export class ExchangeQueue {
  readonly #order: Order;
  /** Sorted by start. */
  readonly #waiting: Waiting[] = [];
  #bytes = 0;
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

  /** Calls `process` after the exchanges that began earlier. */
  take(exchange: Exchange, span: Span | undefined, process: () => void): void {
    if (span === undefined || this.#order === "one-by-one") {
      process();
      return;
    }
    this.#insert({ process, start: span.start, bytes: bodyBytesOf(exchange) });
    while (this.#waiting.length > reorderedMax || this.#bytes > reorderedBytesMax) this.#processFirst();
  }

  /** Processes all waiting exchanges. */
  end(): void {
    while (this.#waiting.length > 0) this.#processFirst();
  }

  #insert(added: Waiting): void {
    const waiting = this.#waiting;
    this.#bytes += added.bytes;
    let index = waiting.length;
    while (index > 0 && (waiting[index - 1]?.start ?? added.start) > added.start) index -= 1;
    if (index === waiting.length) waiting.push(added);
    else waiting.splice(index, 0, added);
  }

  #processFirst(): void {
    const first = this.#waiting.shift();
    this.#bytes -= first?.bytes ?? 0;
    first?.process();
  }
}

/**
 * The time span of a recorded exchange; undefined for a cached response, or without a usable time. The start is truncated to
 * the digits of its text, so the end is later by up to the resolution. Exchanges that overlap by less than that may be
 * consecutive, or concurrent ones of a fast target: they count as concurrent, since a wrong order would accuse a correct
 * target. Understudy records microseconds, so consecutive exchanges do not overlap.
 */
function recordedSpan(exchange: Exchange): Span | undefined {
  if (isCachedResponse(exchange)) return undefined;
  const { startedAt, durationMs } = exchange;
  const { epochMs: start, resolutionMs } = readTimestamp(startedAt);
  const end = start + durationMs + resolutionMs;
  return Number.isFinite(end) && durationMs >= 0 ? { start, end } : undefined;
}

/** Approximate bytes of the bodies of an exchange. */
export function bodyBytesOf({ request, response }: Exchange): number {
  const received = response.type === "broken" ? response.partial : response;
  return request.body.storedLength + (received?.body.storedLength ?? 0);
}
