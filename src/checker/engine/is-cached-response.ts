import type { Exchange } from "../../foundation/http/exchange.ts";

/** Whether a cache in the client or before the target gave the response, so that it may be out of date. Only GET is cached. */
export function isCachedResponse({ request, response, isCached }: Exchange): boolean {
  if (isCached === true) return true;
  if (request.method !== "GET" || response.type === "broken") return false;
  return response.headers.some(([name, value]) => cacheHeader.test(name) && isOfCache(name, value));
}

const cacheHeader = /^(?:age|x-cache|cf-cache-status|x-cache-status)$/i;

function isOfCache(name: string, value: string): boolean {
  return name.toLowerCase() === "age" ? Number(value) > 0 : /\b(?:hit|stale)\b/i.test(value);
}
