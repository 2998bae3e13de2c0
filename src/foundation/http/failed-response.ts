import type { HeaderList } from "./header.ts";

/** A response that never arrived whole: the connection was reset, cut short, longer than is read, or stayed silent until a limit. `unexplained` may be the client's doing. */
export interface FailedResponse {
  readonly type: "broken";
  readonly kind: "reset" | "truncated" | "timed-out" | "too-large" | "unexplained";
  /** What happened, in a sentence's part, where more is known than the kind. */
  readonly reason?: string;
  /** What arrived of a truncated answer, and the length of the body that its head promised. */
  readonly partial?: PartialResponse;
}

export interface PartialResponse {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  readonly bodyLength: number;
}
