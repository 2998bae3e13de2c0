import type { HeaderList } from "./header.ts";

/** An HTTP request as a value: `target` is path and query as sent (or a whole URL, as a client names it), `body` the bytes as received. */
export interface Request {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  /** The body as text, where it came as one; whoever changes the body leaves it out. */
  readonly text?: string;
}
