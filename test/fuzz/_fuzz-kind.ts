/** One kind of input that is thrown at Understudy: what draws it, and what must hold whatever was drawn. */
export interface FuzzKind {
  readonly name: string;
  /** Makes ready what the inputs are given to. */
  open(): Promise<FuzzTarget>;
}

export interface FuzzTarget {
  /**
   * Draws one input, gives it in, and says what is wrong with what came of it, with enough of the input to see why; undefined
   * where all is well. It must not throw for what an input does: that is one of the things that are wrong. The first line
   * says what is wrong, in the same words for the same fault, since findings are grouped by it.
   */
  attempt(random: () => number): Promise<string | undefined>;
  /** The input that `attempt` would draw, as a person reads it; for inputs that take too long to come to a finding. */
  show?(random: () => number): string;
  close(): Promise<void>;
}
