import type { Turns } from "./turns.ts";

/** Responds to a request. The promise resolves when the response is sent, and never rejects; undefined if it is sent. */
type Respond = () => Promise<void> | undefined;

/** `alone`: every earlier request of the connection has its response. */
export type QueuedRequest = "alone" | "pipelined";

/** A received request; `respond` is set when its body is complete. */
interface QueuedExchange {
  respond: Respond | undefined;
}

/**
 * Processes pipelined requests of a connection in their order (RFC 9112 §9.3.2). A complete request waits for earlier ones
 * whose bodies are still arriving, or whose responses are not sent: a client that does not read gets no further responses.
 * Pipelined requests share the event loop with those of other connections.
 */
export class ConnectionQueue {
  readonly #turns: Turns;
  readonly #queue: QueuedExchange[] = [];
  #isForgotten = false;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /** Adds a complete request. Runs it at once if it is alone. */
  follow(respond: Respond, arrival: QueuedRequest): void {
    const isFirst = this.#queue.length === 0;
    if (isFirst && arrival === "alone") this.#run(respond);
    else {
      this.#queue.push({ respond });
      if (isFirst) this.#advance();
    }
  }

  /** Adds a request without its body. */
  await(arrival: QueuedRequest): AwaitedExchange {
    const exchange: QueuedExchange = { respond: undefined };
    this.#queue.push(exchange);
    return {
      isNext: () => arrival === "alone" && this.#queue[0] === exchange,
      complete: (respond) => {
        exchange.respond = respond;
        if (this.#queue[0] !== exchange) return;
        if (arrival === "alone") this.#runFirst(respond);
        else this.#advance();
      },
    };
  }

  /** Drops the waiting requests and serves no other; call it when the connection has ended. */
  forget(): void {
    this.#queue.length = 0;
    this.#isForgotten = true;
  }

  #run(respond: Respond): void {
    if (this.#isForgotten) return;
    const sent = respond();
    if (sent === undefined || this.#isForgotten) return;
    const exchange: QueuedExchange = { respond: undefined };
    this.#queue.unshift(exchange);
    void sent.then(() => {
      if (this.#queue[0] !== exchange) return;
      this.#queue.shift();
      this.#advance();
    });
  }

  /** Runs the request at the front if it is complete. */
  #advance(): void {
    const exchange = this.#queue[0];
    if (exchange?.respond === undefined) return;
    this.#turns.run(() => {
      const { respond } = exchange;
      if (this.#queue[0] === exchange && respond !== undefined) this.#runFirst(respond);
    });
  }

  #runFirst(respond: Respond): void {
    this.#queue.shift();
    this.#run(respond);
    this.#advance();
  }
}

/** A request whose body is arriving. */
interface AwaitedExchange {
  /** Whether it is served as soon as it is complete. */
  isNext(): boolean;
  /** Call it once, with the complete body. */
  complete(respond: Respond): void;
}
