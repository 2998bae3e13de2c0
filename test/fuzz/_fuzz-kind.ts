/** One kind of input that is thrown at Understudy: what draws it, and what must hold whatever was drawn. */
export interface FuzzKind {
  readonly name: string;
  /** Makes ready what the inputs are given to. */
  open(): Promise<FuzzTarget>;
}

export interface FuzzTarget {
  /**
   * Draws one input, gives it in, and says what is wrong with what came of it, with enough of the input to see why; undefined
   * where all is well. It must not throw for what an input does: that is one of the things that are wrong.
   */
  attempt(random: () => number): Promise<string | undefined>;
  close(): Promise<void>;
}
