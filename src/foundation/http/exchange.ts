import type { FailedResponse } from "./failed-response.ts";
import type { Request } from "./request.ts";
import type { Response } from "./response.ts";

/** A request with its response. `startedAt` is ISO-8601 in UTC, `durationMs` wall time in milliseconds. */
export interface Exchange {
  readonly startedAt: string;
  readonly durationMs: number;
  readonly request: Request;
  readonly response: Response | FailedResponse;
}
