import type { Message } from "./message.ts";

/** An HTTP request as a value: `target` is path and query as sent (or a whole URL, as a client names it). */
export interface Request extends Message {
  readonly method: string;
  readonly target: string;
}
