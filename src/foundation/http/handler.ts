import type { FailedResponse } from "./failed-response.ts";
import type { Request } from "./request.ts";
import type { Response } from "./response.ts";

export type HandlerResponse = Response | FailedResponse;

/**
 * Answers a request: a stub over a world, or a forwarder over a real node. What is known at once is given at once, since
 * a promise costs more than many a response.
 */
export type Handler = (request: Request) => HandlerResponse | Promise<HandlerResponse>;
