import type { RequestContext } from "../../foundation/http/handler.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";
import type { VerifiedToken } from "../tokens/verify-token.ts";
import type { HostedWorld } from "./hosted-world.ts";

/** The response of the fallback handler, and the verified token. */
export interface Prepared {
  readonly fallback: Response | undefined;
  readonly verified: VerifiedToken | undefined;
}

/** A received request. Times are in milliseconds since the epoch. */
export interface Arrival {
  readonly id: string;
  readonly hosted: HostedWorld;
  /** The epoch of its journal. */
  readonly epoch: number;
  readonly request: Request;
  readonly context: RequestContext | undefined;
  readonly startedMs: number;
  readonly virtualMs: number;
}
