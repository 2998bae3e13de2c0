import type { Exchange } from "../../foundation/http/exchange.ts";

/**
 * A forwarded exchange from the target's point of view: its host and path, without hop-by-hop fields. A body over the limit
 * is empty. The response is then broken as `unexplained`, which is not checked; status and headers are in `partial`.
 */
export interface ForwardedExchange {
  readonly exchange: Exchange;
  readonly reasonPhrase: string;
  readonly timings: Timings;
  /** Body sizes in bytes, including omitted bodies. */
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** The reason why a body is omitted; undefined if both are complete. */
  readonly omission: string | undefined;
}

/** Phases in milliseconds. Their sum is the duration of the exchange. */
export interface Timings {
  /** Undefined for a kept connection. */
  readonly connect: number | undefined;
  readonly send: number;
  readonly wait: number;
  readonly receive: number;
}
