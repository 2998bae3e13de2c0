import type { Request } from "./request.ts";
import type { Response } from "./response.ts";

/** A request that a server refuses before it reads the body. */
export interface RefusedRequest extends Pick<Request, "method" | "target" | "headers"> {
  readonly status: number;
  /** A sentence that names the problem. */
  readonly reason: string;
}

/** Renders a refusal as the served API does; undefined for plain text. The connection ends after the response. */
export type RenderRefusal = (refused: RefusedRequest) => Response | undefined;
