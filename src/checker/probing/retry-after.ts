import type { Exchange } from "../../foundation/http/exchange.ts";
import { headerValues } from "../../foundation/http/header.ts";

const firstWaitMs = 1000;

/**
 * Milliseconds to wait before the request is repeated; undefined for no repetition. A 429 without Retry-After waits a second,
 * doubled with each attempt. A 503 is repeated only with Retry-After.
 */
export function retryAfterOf({ response }: Exchange, nowMs: number, attempt: number): number | undefined {
  if (response.type !== "response" || (response.status !== 429 && response.status !== 503)) return undefined;
  const named = retryAfterMs(headerValues(response.headers, "retry-after")[0]?.trim(), nowMs);
  if (named === undefined && response.status === 503) return undefined;
  return Math.max(named ?? 0, firstWaitMs * 2 ** attempt);
}

/** Whole seconds or a date (RFC 9110, section 10.2.3). */
function retryAfterMs(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
