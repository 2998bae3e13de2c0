import type { Request } from "./request.ts";
import type { Response } from "./response.ts";

/** What a server does with a request to open a stream of messages; undefined for a request to something else. */
export type StreamOpener = (request: Omit<Request, "body">) => StreamOpening | Promise<StreamOpening>;

export type StreamOpening =
  | { readonly type: "accepted"; readonly stream: MessageStream }
  | { readonly type: "refused"; readonly response: Response }
  | undefined;

/** One stream over a WebSocket. Messages are text. */
export interface MessageStream {
  /** The sub-protocol of the response. */
  readonly protocol: string;
  /** Handles the first message of the client; later ones are not read. Undefined stands for bytes. */
  begin(message: string | undefined, receiver: MessageReceiver): void;
  /** The connection has ended. */
  end(): void;
}

export interface MessageReceiver {
  send(text: string): void;
  /** Ends the stream in good order. */
  close(): void;
  /** Ends the connection without a word. */
  cut(): void;
}
