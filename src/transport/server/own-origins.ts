import { isOwnOrigin } from "../../foundation/http/origin.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse, withHeaders } from "../../foundation/http/response.ts";

/**
 * Refuses requests of pages of other origins with 403, before anything is read from them: a browser sends some of them
 * without asking first. `hosts` are names of further hosts whose pages are allowed, in lower case.
 */
export function refuseForeignOrigins<Responded>(
  handler: (request: Request) => Responded,
  hosts: ReadonlySet<string>,
): (request: Request) => Responded | Response {
  return (request) => (isOwnOrigin(request.headers, hosts) ? handler(request) : foreign);
}

const reason = "A page of another origin sent this request. Start with --cors to allow it.";

const foreign: Response = withHeaders(textResponse(403, "text/plain; charset=UTF-8", reason), [
  ["Understudy-Reason", reason],
]);
