import type { EventListener } from "../../foundation/http/event-stream.ts";

/** What happens within this time is one event. */
const pointInTimeMs = 50;

/** Sends the same events to everybody who listens, at most one within a moment; what comes meanwhile is in the next. */
export class EventHub {
  readonly #listeners = new Set<EventListener>();
  readonly #event: () => string;
  readonly #later: (run: () => void, ms: number) => void;
  #isDue = false;
  #isResting = false;

  /** `event` gives the data of an event when it is sent; `later` runs something after some time. */
  constructor(event: () => string, later: (run: () => void, ms: number) => void) {
    this.#event = event;
    this.#later = later;
  }

  /** How many listen. */
  get size(): number {
    return this.#listeners.size;
  }

  /** Sends where things stand, and every change from then on, until what is given back is called. */
  listen(listener: EventListener): () => void {
    this.#listeners.add(listener);
    listener.send(this.#text());
    return () => this.#listeners.delete(listener);
  }

  /** Ends all streams; who listens may come again, and finds whoever is there then. */
  close(): void {
    for (const listener of this.#listeners) listener.end();
    this.#listeners.clear();
  }

  /** Says that something has changed. */
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
    }, pointInTimeMs);
  }

  #text(): string {
    return `event: change\ndata: ${this.#event()}\n\n`;
  }
}
