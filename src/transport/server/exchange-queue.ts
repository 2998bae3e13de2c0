/** Responds to a request, synchronously or with a promise that never rejects. */
export type Respond = () => Promise<void> | undefined;

/** A received request; `respond` is set when its body is complete. */
interface QueuedExchange {
  respond: Respond | undefined;
}

/**
 * Processes pipelined requests of a connection in their order (RFC 9112 §9.3.2). A complete request waits for earlier ones
 * whose bodies are still arriving, or whose responses are asynchronous, for example during token verification.
 */
export class ExchangeQueue {
  readonly #queue: QueuedExchange[] = [];

  /** Adds a complete request. Runs it at once if the queue is empty. */
  follow(respond: Respond): void {
    if (this.#queue.length > 0) this.#queue.push({ respond });
    else this.#run(respond);
  }

  /** Adds a request without its body; returns the function to call once when the body is complete. */
  await(): (respond: Respond) => void {
    const exchange: QueuedExchange = { respond: undefined };
    this.#queue.push(exchange);
    return (respond) => {
      exchange.respond = respond;
      if (this.#queue[0] === exchange) this.#advance();
    };
  }

  /** Drops the waiting requests; call it when the connection has ended. */
  forget(): void {
    this.#queue.length = 0;
  }

  #run(respond: Respond): void {
    const responded = respond();
    if (responded === undefined) return;
    const exchange: QueuedExchange = { respond: undefined };
    this.#queue.unshift(exchange);
    void responded.then(() => {
      if (this.#queue[0] !== exchange) return;
      this.#queue.shift();
      this.#advance();
    });
  }

  /** Runs complete requests at the front, up to one with an asynchronous response. */
  #advance(): void {
    for (let respond = this.#queue[0]?.respond; respond !== undefined; respond = this.#queue[0]?.respond) {
      this.#queue.shift();
      this.#run(respond);
    }
  }
}
