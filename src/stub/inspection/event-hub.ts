import type { EventListener } from "../../foundation/http/event-stream.ts";

/** Changes within this time are sent as one event. */
const batchMs = 50;

/** Sends the same events to all listeners, at most one per 50 ms. Changes in between are part of the next event. */
export class EventHub {
  readonly #listeners = new Set<EventListener>();
  readonly #event: () => string;
  readonly #later: (run: () => void, ms: number) => void;
  #isDue = false;
  #isResting = false;

  /** `event` returns the data of the event to send; `later` runs a function after a delay. */
  constructor(event: () => string, later: (run: () => void, ms: number) => void) {
    this.#event = event;
    this.#later = later;
  }

  /** Number of listeners. */
  get size(): number {
    return this.#listeners.size;
  }

  /** Sends the current state and each later change to a listener. Returns the function that removes the listener. */
  listen(listener: EventListener): () => void {
    this.#listeners.add(listener);
    listener.send(this.#text());
    return () => this.#listeners.delete(listener);
  }

  /** Ends all streams. Listeners may reconnect. */
  close(): void {
    for (const listener of this.#listeners) listener.end();
    this.#listeners.clear();
  }

  /** Schedules an event. */
  changed(): void {
    if (this.#listeners.size === 0) return;
    this.#isDue = true;
    if (!this.#isResting) this.#send();
  }

  #send(): void {
    this.#isDue = false;
    this.#isResting = true;
    const text = this.#text();
    for (const listener of this.#listeners) listener.send(text);
    this.#later(() => {
      this.#isResting = false;
      if (this.#isDue) this.#send();
    }, batchMs);
  }

  #text(): string {
    return `event: change\ndata: ${this.#event()}\n\n`;
  }
}
