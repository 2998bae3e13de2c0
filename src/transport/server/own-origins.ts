import type { RequestContext } from "../../foundation/http/handler.ts";
import { headerValues } from "../../foundation/http/header.ts";
import { isOwnOrigin } from "../../foundation/http/origin.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import { withReason } from "../../foundation/http/with-reason.ts";
import { shortened } from "../../foundation/text/shortened.ts";

/**
 * Refuses requests of pages of other origins with 403, before anything is read from them: a browser sends some of them
 * without asking first. `hosts` are names of further hosts whose pages are allowed, in lower case.
 */
export function refuseForeignOrigins<Responded>(
  handler: (request: Request, context?: RequestContext) => Responded,
  hosts: ReadonlySet<string>,
): (request: Request, context?: RequestContext) => Responded | Response {
  return (request, context) => (isOwnOrigin(request.headers, hosts) ? handler(request, context) : refusal(request));
}

function refusal({ headers }: Request): Response {
  const origin = shortened(headerValues(headers, "origin").join(", "), 100);
  const reason = `A page of another origin, ${origin}, sent this request. Start with --cors to allow it.`;
  return withReason(textResponse(403, "text/plain; charset=UTF-8", reason), reason);
}
