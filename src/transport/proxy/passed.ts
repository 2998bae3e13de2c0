import type { Exchange } from "../../foundation/http/exchange.ts";

/**
 * An exchange that went through the proxy, as the target saw it: its host, its path, no field of the client's connection.
 * A body that was too long to be kept is empty, and the response then is broken as `unexplained`, which nobody blames on the
 * target; its status and headers are in `partial`.
 */
export interface Passed {
  readonly exchange: Exchange;
  readonly reasonPhrase: string;
  readonly timings: Timings;
  /** Bytes of the bodies, those that were not kept included. */
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** Which body was too long to be kept, in a sentence's part. */
  readonly leftOut: string | undefined;
}

/** Milliseconds; together they are the exchange's duration. */
export interface Timings {
  /** Undefined where a connection was there already. */
  readonly connect: number | undefined;
  readonly send: number;
  readonly wait: number;
  readonly receive: number;
}
