import type { Exchange } from "../../foundation/http/exchange.ts";
import { headerValue } from "../../foundation/http/header.ts";
import type { OperationId } from "../../foundation/spec/generated/names.ts";

/** Why a stub did not expect a request: an operation of the real API that the stub does not serve, an unknown path, a wrong method, not planned by the scenario, or refused by the server before it reached its world, such as one of a page of another origin. */
export type Unexpected = "unsupported" | "unknown-path" | "wrong-method" | "unplanned" | "refused";

/** An exchange with a world, with its virtual time and operation. */
export interface JournalEntry extends Exchange {
  /** Virtual time at which the request arrived: ISO-8601 in UTC. */
  readonly virtualAt: string;
  /** The operation of the spec; undefined if the request matches none. */
  readonly operationId: OperationId | undefined;
  /** Undefined for an expected request. */
  readonly unexpected: Unexpected | undefined;
}

const plannedFailures = {
  reset: "reset",
  truncated: "truncation",
  "timed-out": "time-out",
  "too-large": "response",
  unexplained: "response",
} as const;

/** What the stub accepted although a node would not, or not like this, from the header `Understudy-Warning`. The text is not masked. */
export function warningOf({ response }: Exchange): string | undefined {
  return response.type === "broken" ? undefined : headerValue(response.headers, "understudy-warning");
}

/**
 * Why the stub refused a request, from the header `Understudy-Reason`; what the plan did instead of an operation; or why there is
 * no complete response; or the warning of a response that succeeds. Undefined for any other exchange. The text is not masked.
 */
export function reasonOf(exchange: Exchange): string | undefined {
  const { response } = exchange;
  const warning = warningOf(exchange);
  if (warning !== undefined) return `warning: ${warning}`;
  const isBroken = response.type === "broken";
  const reason = isBroken ? response.reason : headerValue(response.headers, "understudy-reason");
  if (response.isPlanned !== true || reason?.includes("Planned response") === true) return reason;
  return [
    `planned ${isBroken ? plannedFailures[response.kind] : "response"}`,
    ...(reason === undefined ? [] : [reason]),
  ].join("; ");
}
