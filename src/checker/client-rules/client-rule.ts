import type { Rule } from "../rules/rule.ts";
import type { ClientRuleId } from "./generated/client-rule-ids.ts";

/**
 * A rule for the consumer. It sees the current request and earlier responses, never the state of the stub, so a
 * consumer breaks no rule by what it cannot know. Pointers of findings point into the request.
 */
export type ClientRule = Rule & {
  readonly id: ClientRuleId;
  /** The sentence of the spec behind the rule, or several, as in `contracts/spec-sentences.yaml`. */
  readonly sentence: string;
  /** The consequence of a violation at a real node or registry. */
  readonly why: string;
  /** What the consumer should do. */
  readonly advice: string;
};
