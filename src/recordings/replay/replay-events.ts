import type { NearMiss } from "./nearest.ts";

/** What became of a request that came to a recording. */
export interface Replayed {
  readonly outcome: "matched" | "again" | "continued" | "unmatched";
  readonly method: string;
  readonly target: string;
  /** What was answered; undefined where the response broke off. */
  readonly status: number | undefined;
  /** The number of the recorded exchange, from 1. */
  readonly number: number | undefined;
  /** Why nothing was answered from the recording. */
  readonly reason: string | undefined;
  readonly nearest: readonly NearMiss[];
}

/** How often each came to pass, and how many recorded exchanges were never asked for. */
export interface ReplaySummary {
  readonly matched: number;
  readonly again: number;
  readonly continued: number;
  readonly unmatched: number;
  readonly neverRequested: number;
}
