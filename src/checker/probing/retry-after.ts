import type { Exchange } from "../../foundation/http/exchange.ts";
import { headerValues } from "../../foundation/http/header.ts";

const firstWaitMs = 1000;

/**
 * How long a response asks to be left alone before the request comes again; undefined where it does not ask. A 429 that
 * names no time means some, and one that comes again longer. A 503 means it only where it names a time.
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
