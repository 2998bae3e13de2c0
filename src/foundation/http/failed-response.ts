import type { Message } from "./message.ts";
import type { Transmission } from "./transmission.ts";

/** A response that did not arrive completely: reset, truncated, too long, or timed out. `unexplained` may have been caused by the client. */
export interface FailedResponse {
  readonly type: "broken";
  readonly kind: "reset" | "truncated" | "timed-out" | "too-large" | "unexplained";
  /** A complete response alone has these. So `response.status` and `response.body?.json()` need no look at `type`. */
  readonly status?: undefined;
  readonly headers?: undefined;
  readonly body?: undefined;
  /** Details, as part of a sentence, if known. */
  readonly reason?: string;
  /** The received part of a truncated response, and its declared body length. */
  readonly partial?: PartialResponse;
  /** How a server sends the received part; undefined: at once. */
  readonly transmission?: Transmission | undefined;
  /** Whether the plan of a scenario decided it. */
  readonly isPlanned?: true;
}

export interface PartialResponse extends Message {
  readonly status: number;
  readonly bodyLength: number;
}
