import type { Broken } from "./failed-response.ts";
import type { Request } from "./request.ts";
import type { Response } from "./response.ts";

export type Answer = Response | Broken;

/**
 * Answers a request: a stub over a world, or a forwarder over a real node. What is known at once is given at once, since
 * a promise costs more than many an answer.
 */
export type Handler = (request: Request) => Answer | Promise<Answer>;
