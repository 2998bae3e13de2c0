import type { Broken } from "./broken.ts";
import type { Request } from "./request.ts";
import type { Response } from "./response.ts";

/** Answers a request: a stub over a world, or a forwarder over a real node. */
export type Handler = (request: Request) => Promise<Response | Broken>;
