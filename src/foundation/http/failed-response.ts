import type { HeaderList } from "./header.ts";

/** A response that did not arrive completely: reset, truncated, too long, or timed out. `unexplained` may have been caused by the client. */
export interface FailedResponse {
  readonly type: "broken";
  readonly kind: "reset" | "truncated" | "timed-out" | "too-large" | "unexplained";
  /** Details, as part of a sentence, if known. */
  readonly reason?: string;
  /** The received part of a truncated response, and its declared body length. */
  readonly partial?: PartialResponse;
}

export interface PartialResponse {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  readonly bodyLength: number;
}
