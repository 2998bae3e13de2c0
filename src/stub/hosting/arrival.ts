import type { RequestContext } from "../../foundation/http/handler.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { HostedWorld } from "./hosted-world.ts";

/** A received request. Times are in milliseconds since the epoch, `arrivedMs` by the clock that is never set. */
export interface Arrival {
  readonly id: string;
  readonly hosted: HostedWorld;
  /** The epoch of its journal. */
  readonly epoch: number;
  readonly request: Request;
  readonly context: RequestContext | undefined;
  readonly startedMs: number;
  readonly arrivedMs: number;
  readonly virtualMs: number;
}
