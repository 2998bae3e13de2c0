import type { Fault } from "./_planted.ts";

export interface FuzzOptions {
  /** A fault that is put back. */
  readonly fault?: Fault | undefined;
  /** Share of inputs that are large in some respect. */
  readonly largeShare?: number | undefined;
}

/** One kind of hostile input: how it is drawn, and what must hold for each. */
export interface FuzzKind {
  readonly name: string;
  /** Starts the target of the inputs. */
  open(options?: FuzzOptions): Promise<FuzzTarget>;
}

export interface FuzzTarget {
  /**
   * Draws one input, gives it to the target, and returns the problem that shows with enough of the input to see why, or
   * undefined. It does not throw; an error that the input causes is a problem. The first line is the same for the same
   * fault: it groups the problems. `onDrawn` is called when the input is drawn: the time for that does not count.
   */
  attempt(random: () => number, onDrawn: () => void): Promise<string | undefined>;
  /** The input that `attempt` would draw, as readable text, for inputs that run into the time limit. */
  show?(random: () => number): string;
  /** Time limit of an input, where it differs from `attemptMsMax`. */
  readonly msMax?: number;
  close(): Promise<void>;
}
