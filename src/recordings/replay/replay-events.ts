import type { NearMiss } from "./nearest.ts";

/** The result of a request to a replayed recording. */
export interface Replayed {
  readonly outcome: "matched" | "repeated" | "continued" | "unmatched";
  readonly method: string;
  readonly target: string;
  /** The status of the response; undefined for a failed response. */
  readonly status: number | undefined;
  /** The number of the recorded exchange, from 1. */
  readonly number: number | undefined;
  /** Why the recording has no response; undefined if it has one. */
  readonly reason: string | undefined;
  readonly nearest: readonly NearMiss[];
}

/** Number of requests by outcome, and of recorded exchanges that were never requested. */
export interface ReplaySummary {
  readonly matched: number;
  readonly repeated: number;
  readonly continued: number;
  readonly unmatched: number;
  readonly neverRequested: number;
}
