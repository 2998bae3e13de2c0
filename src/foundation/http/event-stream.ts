import type { HeaderList } from "./header.ts";

/** A response that goes on: server-sent events, as long as somebody listens. */
export interface EventStream {
  readonly type: "events";
  readonly headers: HeaderList;
  /** Begins to send; gives what is to be called when nobody listens any more. */
  open(listener: EventListener): () => void;
}

/** Who listens to events. */
export interface EventListener {
  send(text: string): void;
  /** Ends the stream from the side that sends; who listens may come again. */
  end(): void;
}
