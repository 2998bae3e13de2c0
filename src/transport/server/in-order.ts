/** What answers a request: at once, or with the promise that it has answered, which does not reject. */
export type Turn = () => Promise<void> | undefined;

/** A request that has come, and what is to be done for it once its body is there too. */
interface Place {
  turn: Turn | undefined;
}

/**
 * Requests that come on one connection without waiting for answers take effect in their order (RFC 9112, section 9.3.2):
 * one that is there whole waits for those before it whose bodies are still arriving, or which are answered later, as where
 * tokens are verified.
 */
export class InOrder {
  readonly #places: Place[] = [];

  /** Runs at once where nothing is awaited, which is so for most. */
  follow(turn: Turn): void {
    if (this.#places.length > 0) this.#places.push({ turn });
    else this.#run(turn);
  }

  /** Takes a place, and gives what is to be called once with what is to be done. */
  await(): (turn: Turn) => void {
    const place: Place = { turn: undefined };
    this.#places.push(place);
    return (turn) => {
      place.turn = turn;
      if (this.#places[0] === place) this.#advance();
    };
  }

  /** To be called when the connection has ended: what still waits is given up. */
  forget(): void {
    this.#places.length = 0;
  }

  #run(turn: Turn): void {
    const responded = turn();
    if (responded === undefined) return;
    const place: Place = { turn: undefined };
    this.#places.unshift(place);
    void responded.then(() => {
      if (this.#places[0] !== place) return;
      this.#places.shift();
      this.#advance();
    });
  }

  /** Runs those at the front that are whole, up to one that is answered later. */
  #advance(): void {
    for (let turn = this.#places[0]?.turn; turn !== undefined; turn = this.#places[0]?.turn) {
      this.#places.shift();
      this.#run(turn);
    }
  }
}
