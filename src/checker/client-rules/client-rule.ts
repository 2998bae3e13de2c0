import type { Rule } from "../rules/rule.ts";

/**
 * A rule for the consumer. It sees what was asked and what had been answered before, never the world; what the consumer
 * could not know breaks none. Pointers of its findings point into the request.
 */
export type ClientRule = Rule & {
  /** The sentence of the spec that it comes from, to the letter. */
  readonly sentence: string;
  /** What a broken rule leads to at a real node or registry. */
  readonly why: string;
  /** What the consumer should do. */
  readonly advice: string;
};
