import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import { nameOf, type Target } from "./targets.ts";

/** How an exchange broke off; with a status where the client is told so by a response of ours. */
export interface Offence {
  readonly kind: FailedResponse["kind"];
  readonly reason: string;
  readonly status?: number;
}

/** What is known of the connection that failed. */
export interface Whom {
  readonly target: Target;
  readonly isConnected: boolean;
  /** Whether it served an earlier request. */
  readonly isKept: boolean;
}

/** A failure before the head of a response. What is not the target's response is `unexplained`, so that nobody checks it. */
export function noHead(error: Error, { target, isConnected, isKept }: Whom): Offence {
  const code = "code" in error ? String(error.code) : "";
  if (!isConnected) {
    const why = code === "" ? error.message : code;
    return { kind: "unexplained", status: 502, reason: `${nameOf(target)} cannot be reached (${why})` };
  }
  if (isKept && code === "ECONNRESET")
    return { kind: "unexplained", reason: "the target closed a kept connection, perhaps just when it was used again" };
  if (code === "HPE_HEADER_OVERFLOW") return { kind: "too-large", reason: "the head of the response is too large" };
  if (code.startsWith("HPE_")) return { kind: "reset", reason: `what came is no HTTP: ${error.message}` };
  return { kind: "reset", reason: "the connection was closed before a response came" };
}

/** A failure within a body. */
export function brokenOff(length: number, promised: number | undefined): Offence {
  const of = promised === undefined ? "" : ` of ${promised}`;
  return { kind: "truncated", reason: `the connection was closed after ${length}${of} bytes of the body` };
}
