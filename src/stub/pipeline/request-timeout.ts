import { type HeaderList, headerValues } from "../../foundation/http/header.ts";

/**
 * Whether a node refuses the header `Request-Timeout`: not whole milliseconds from 1 second to 1 minute. Evidence: Canton
 * 3.6.1, release notes.
 */
export function isTimeoutRefused(headers: HeaderList): boolean {
  return headerValues(headers, "request-timeout").some((value) => {
    const text = value.trim();
    return !/^\d{4,5}$/.test(text) || Number(text) < 1000 || Number(text) > 60_000;
  });
}
