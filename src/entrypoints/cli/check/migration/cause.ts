import type { ShownStatus } from "./recorded-request.ts";

/**
 * What a later release does with a recorded request: it refuses it, no longer refuses it, or its response differs or loses a
 * member. `undecided`: the recording does not show whether the change concerns the request.
 */
export type CauseType = "refuses" | "accepts" | "changes" | "loses" | "undecided";

/** A change of a release that concerns a request. Requests with the same title have the same cause. */
export interface Cause {
  readonly type: CauseType;
  readonly title: string;
  readonly advice: string;
  /** The release that brings it. */
  readonly since: string;
  /** The response to a refused request. */
  readonly later?: ShownStatus;
}
