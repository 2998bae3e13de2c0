import type { Exchange } from "../../foundation/http/exchange.ts";
import { headerValues } from "../../foundation/http/header.ts";

/** Whether a cache between client and target gave the response, so that it may be out of date. Only GET is cached. */
export function isCachedResponse({ request, response }: Exchange): boolean {
  if (request.method !== "GET" || response.type === "broken") return false;
  return headerValues(response.headers, "age").some((age) => Number(age) > 0) || isHit(response.headers);
}

function isHit(headers: Parameters<typeof headerValues>[0]): boolean {
  return ["x-cache", "cf-cache-status", "x-cache-status"].some((name) =>
    headerValues(headers, name).some((value) => /\b(?:hit|stale)\b/i.test(value)),
  );
}
