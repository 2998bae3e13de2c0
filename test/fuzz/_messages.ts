import type { Fault } from "./_planted.ts";

/** Time limit of an input; a longer one counts as a hang. */
export const attemptMsMax = 1000;

/** The inputs for a process: those of a seed from one number to below another. */
export interface FuzzOrder {
  readonly kind: string;
  readonly seed: number;
  readonly fault?: Fault | undefined;
  readonly from: number;
  readonly to: number;
  /** Before which inputs the heap is measured; it is after the last one too. */
  readonly heapAt: readonly number[];
}

/** A progress message of a process. An input runs until the next message. */
export type FuzzMessage =
  | { readonly type: "begun"; readonly number: number }
  | { readonly type: "finding"; readonly number: number; readonly text: string }
  | { readonly type: "heap"; readonly bytes: number }
  | { readonly type: "ended"; readonly slowest: Slowest };

/** Which input took longest, and how long. */
export interface Slowest {
  readonly number: number;
  readonly ms: number;
}
