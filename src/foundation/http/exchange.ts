import type { FailedResponse } from "./failed-response.ts";
import type { Request } from "./request.ts";
import type { Response } from "./response.ts";

/** A request with its response. `startedAt` is ISO-8601 in UTC, `durationMs` wall time in milliseconds. */
export interface Exchange {
  readonly startedAt: string;
  readonly durationMs: number;
  readonly request: Request;
  readonly response: Response | FailedResponse;
  /** Whether a browser had the response, so that it may be out of date. */
  readonly isCached?: true;
  /** The messages of a WebSocket, which the request opened. */
  readonly messages?: readonly WebSocketMessage[];
}

/** A message of a WebSocket as a recorder wrote it: `data` is text for opcode 1, else base64; `time` is in its unit. */
export interface WebSocketMessage {
  /** `send` or `receive`. */
  readonly type: string;
  readonly time?: number;
  readonly opcode: number;
  readonly data: string;
}
