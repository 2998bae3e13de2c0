import type { Exchange } from "../../foundation/http/exchange.ts";
import { headerValues } from "../../foundation/http/header.ts";

/** Whether a cache on the way gave the answer, so that it shows what was once and not what is. A change passes all caches. */
export function isOfCache({ request, answer }: Exchange): boolean {
  if (request.method !== "GET" || answer.type === "broken") return false;
  return headerValues(answer.headers, "age").some((age) => Number(age) > 0) || isHit(answer.headers);
}

function isHit(headers: Parameters<typeof headerValues>[0]): boolean {
  return ["x-cache", "cf-cache-status", "x-cache-status"].some((name) =>
    headerValues(headers, name).some((value) => /\b(?:hit|stale)\b/i.test(value)),
  );
}
