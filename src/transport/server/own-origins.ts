import type { RequestContext } from "../../foundation/http/handler.ts";
import { isOwnOrigin } from "../../foundation/http/origin.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse, withHeaders } from "../../foundation/http/response.ts";

/**
 * Refuses requests of pages of other origins with 403, before anything is read from them: a browser sends some of them
 * without asking first. `hosts` are names of further hosts whose pages are allowed, in lower case.
 */
export function refuseForeignOrigins<Responded>(
  handler: (request: Request, context?: RequestContext) => Responded,
  hosts: ReadonlySet<string>,
): (request: Request, context?: RequestContext) => Responded | Response {
  return (request, context) => (isOwnOrigin(request.headers, hosts) ? handler(request, context) : foreign);
}

const reason = "A page of another origin sent this request. Start with --cors to allow it.";

const foreign: Response = withHeaders(textResponse(403, "text/plain; charset=UTF-8", reason), [
  ["Understudy-Reason", reason],
]);
