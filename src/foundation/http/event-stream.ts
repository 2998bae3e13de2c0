import type { HeaderList } from "./header.ts";

/** A streaming response: server-sent events until the listener closes. */
export interface EventStream {
  readonly type: "events";
  readonly headers: HeaderList;
  /** Begins to send; gives a function that ends the subscription. */
  open(listener: EventListener): () => void;
}

/** A listener of an event stream. */
export interface EventListener {
  send(text: string): void;
  /** Ends the stream from the sending side; the client may reconnect. */
  end(): void;
}
