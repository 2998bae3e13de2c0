import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import { connectFailure } from "../client/connect-failure.ts";
import { ProxyFailure } from "../client/route.ts";
import { nameOf, type Target } from "./targets.ts";

/** A failure of an exchange. With a status, the proxy sends a response of its own. */
export interface Failure {
  readonly kind: FailedResponse["kind"];
  readonly reason: string;
  readonly status?: number;
}

/** The failed connection. */
export interface FailedConnection {
  readonly target: Target;
  /** The proxy in between. */
  readonly proxy: string | undefined;
  readonly isConnected: boolean;
  /** Whether it served an earlier request. */
  readonly isKept: boolean;
}

/** A failure before the response head. Failures that are not the target's are `unexplained`, so they are not checked. */
export function failureBeforeHead(error: Error, { target, proxy, isConnected, isKept }: FailedConnection): Failure {
  const code = "code" in error ? String(error.code) : "";
  if (!isConnected) {
    const { reason = code || error.message, remedy } = connectFailure(error) ?? {};
    const isOfProxy = proxy !== undefined && target.base.protocol === "http:" && !(error instanceof ProxyFailure);
    const why = isOfProxy ? `the proxy ${proxy} does not respond: ${reason}` : reason;
    const advice = remedy === undefined ? "" : `. ${remedy.replace(/\.$/, "")}`;
    return { kind: "unexplained", status: 502, reason: `${nameOf(target)} cannot be reached (${why})${advice}` };
  }
  if (isKept && code === "ECONNRESET")
    return { kind: "unexplained", reason: "the target closed a kept connection, possibly while it was reused" };
  if (code === "HPE_HEADER_OVERFLOW") return { kind: "too-large", reason: "the head of the response is too large" };
  if (code.startsWith("HPE_")) return { kind: "reset", reason: `the response is not HTTP: ${error.message}` };
  return { kind: "reset", reason: "the connection was closed before a response arrived" };
}

/** A failure during a body. */
export function failureDuringBody(length: number, promised: number | undefined): Failure {
  const of = promised === undefined ? "" : ` of ${promised}`;
  return { kind: "truncated", reason: `the connection was closed after ${length}${of} bytes of the body` };
}
