import type { EventStream } from "./event-stream.ts";
import type { FailedResponse } from "./failed-response.ts";
import type { Request } from "./request.ts";
import type { Response } from "./response.ts";

export type HandlerResponse = Response | FailedResponse;

/** What a handler learns of a request besides its content. */
export interface RequestContext {
  /** Aborted when waiting has no use any more: the client has disconnected, or the server closes. */
  readonly signal: AbortSignal;
}

/**
 * Responds to a request: a stub over a world, or a forwarder to a real node. A response that is known at once is returned
 * without a promise, which would cost more than many responses.
 */
export type Handler = (request: Request, context?: RequestContext) => HandlerResponse | Promise<HandlerResponse>;

/** A handler that may also return an event stream, which only servers can send. */
export type ServedHandler = (request: Request, context?: RequestContext) => ServedResponse | Promise<ServedResponse>;
export type ServedResponse = HandlerResponse | EventStream;
