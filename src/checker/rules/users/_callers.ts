import { headerValues } from "../../../foundation/http/header.ts";
import { digestOf } from "../digest.ts";
import { isRedacted } from "../is-redacted.ts";
import type { TracedExchange } from "../rule.ts";

/** A digest of the token of a request; empty if the recording does not show it. */
export function callerOf({ exchange }: Pick<TracedExchange, "exchange">): string {
  // A value has no line break, so two headers are not one.
  const caller = headerValues(exchange.request.headers, "authorization").join("\n");
  return isRedacted(caller) || caller === "" ? "" : digestOf(caller);
}

/** Without the header the caller is unknown. */
export function isSameCaller(left: string, right: string): boolean {
  return left !== "" && left === right;
}
