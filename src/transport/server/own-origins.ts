import { emptyBody } from "../../foundation/http/body.ts";
import type { RequestContext } from "../../foundation/http/handler.ts";
import { headerValues } from "../../foundation/http/header.ts";
import type { StreamOpener } from "../../foundation/http/message-stream.ts";
import { isOwnOrigin } from "../../foundation/http/origin.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import { withReason } from "../../foundation/http/with-reason.ts";
import { shortened } from "../../foundation/text/shortened.ts";

/** Called with a refused request and its response. */
type NoteRefusal = (request: Request, response: Response) => void;

/**
 * Refuses requests of pages of other origins with 403, before anything is read from them: a browser sends some of them
 * without asking first. `hosts` are names of further hosts whose pages are allowed, in lower case.
 */
export function refuseForeignOrigins<Responded>(
  handler: (request: Request, context?: RequestContext) => Responded,
  hosts: ReadonlySet<string>,
  note: NoteRefusal = () => undefined,
): (request: Request, context?: RequestContext) => Responded | Response {
  return (request, context) => {
    if (isOwnOrigin(request.headers, hosts)) return handler(request, context);
    const response = refusal(request);
    note(request, response);
    return response;
  };
}

/** As `refuseForeignOrigins`, for requests to open a stream, which browsers send from any page. */
export function refuseForeignStreams(
  open: StreamOpener,
  hosts: ReadonlySet<string>,
  note: NoteRefusal = () => undefined,
): StreamOpener {
  return (head) => {
    if (isOwnOrigin(head.headers, hosts)) return open(head);
    const request = { ...head, body: emptyBody };
    const response = refusal(request);
    note(request, response);
    return { type: "refused", response };
  };
}

function refusal({ headers }: Request): Response {
  const origin = shortened(headerValues(headers, "origin").join(", "), 100);
  const advice = "Start with --cors, or with the option cors: true, to allow it.";
  const reason = `A page of another origin, ${origin}, sent this request. ${advice}`;
  return withReason(textResponse(403, "text/plain; charset=UTF-8", reason), reason);
}
