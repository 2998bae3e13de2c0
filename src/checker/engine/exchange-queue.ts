import type { Exchange } from "../../foundation/http/exchange.ts";
import type { Span } from "../rules/rule.ts";
import { isCachedResponse } from "./is-cached-response.ts";
import { Reordering } from "./reordering.ts";

/** `one-by-one` where a client waited for each response, so that their order is certain. */
export type Order = "by-time" | "one-by-one";

/** Recordings cut their times to milliseconds. */
const timeSlackMs = 1;

/** Says when exchanges took place, and looks at each when it is its turn. */
export class ExchangeQueue {
  readonly #order: Order;
  /** What follows when it is an exchange's turn. */
  readonly #waiting = new Reordering<() => void>();
  #count = 0;

  constructor(order: Order) {
    this.#order = order;
  }

  /** Undefined where the response tells nothing of the time at which it came. */
  spanOf(exchange: Exchange): Span | undefined {
    if (this.#order === "by-time") return recordedSpan(exchange);
    if (isCachedResponse(exchange)) return undefined;
    this.#count += 1;
    return { start: this.#count * 2, end: this.#count * 2 + 1 };
  }

  /** Calls `follow` when those that began before have had their turn; `bytes` are those of its bodies. */
  take(span: Span | undefined, bytes: number, follow: () => void): void {
    if (span === undefined || this.#order === "one-by-one") {
      follow();
      return;
    }
    this.#waiting.add(follow, span.start, bytes);
    for (let next = this.#waiting.overdue(); next !== undefined; next = this.#waiting.overdue()) next();
  }

  /** Lets those that wait have their turn. */
  end(): void {
    for (let follow = this.#waiting.first(); follow !== undefined; follow = this.#waiting.first()) follow();
  }
}

/** When a recorded exchange took place; undefined where neither its response nor the recording tells a usable time. */
function recordedSpan(exchange: Exchange): Span | undefined {
  if (isCachedResponse(exchange)) return undefined;
  const { startedAt, durationMs } = exchange;
  const start = Date.parse(startedAt);
  const end = start + durationMs + timeSlackMs;
  return Number.isFinite(end) && durationMs >= 0 ? { start, end } : undefined;
}

/** Bytes of the bodies of an exchange, or nearly. */
export function bytesOf({ request, response }: Exchange): number {
  const responded = response.type === "broken" ? response.partial : response;
  return sizeOf(request) + (responded === undefined ? 0 : sizeOf(responded));
}

function sizeOf(message: Pick<Exchange["request"], "body" | "text">): number {
  return message.text?.length ?? message.body.length;
}
