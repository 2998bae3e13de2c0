/** A request that has come, and what is to be done for it once its body is there too. */
interface Place {
  run: (() => void) | undefined;
}

/**
 * Requests that come on one connection without waiting for answers take effect in their order (RFC 9112, section 9.3.2):
 * one that is there whole waits for those before it whose bodies are still arriving. What is answered later, as where
 * tokens are verified, takes effect when it is answered.
 */
export class InOrder<Connection extends object> {
  readonly #places = new Map<Connection, Place[]>();

  /** Runs at once where nothing is awaited on the connection, which is so for most. */
  follow(connection: Connection, run: () => void): void {
    const places = this.#places.get(connection);
    if (places === undefined) run();
    else places.push({ run });
  }

  /** Takes a place, and gives what is to be called once with what is to be done. */
  await(connection: Connection): (run: () => void) => void {
    const place: Place = { run: undefined };
    const places = this.#places.get(connection);
    if (places === undefined) this.#places.set(connection, [place]);
    else places.push(place);
    return (run) => {
      place.run = run;
      this.#advance(connection);
    };
  }

  /** To be called when a connection has ended: what still waited on it is given up. */
  forget(connection: Connection): void {
    this.#places.delete(connection);
  }

  #advance(connection: Connection): void {
    const places = this.#places.get(connection);
    for (let first = places?.[0]; first?.run !== undefined; first = places?.[0]) {
      places?.shift();
      first.run();
    }
    if (places?.length === 0) this.#places.delete(connection);
  }
}
