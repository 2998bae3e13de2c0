import { clientRules } from "../../checker/client-rules/index.ts";
import { rules } from "../../checker/rules/index.ts";
import { contracts } from "../../foundation/spec/contracts.ts";

/** The text of a rule, a client rule or a known divergence, in paragraphs; undefined for another id. */
export function ruleText(id: string): string[] | undefined {
  const rule = rules.find((each) => each.id === id);
  if (rule !== undefined) return [rule.summary, `Spec §${rule.section}.`];
  const clientRule = clientRules.find((each) => each.id === id);
  if (clientRule !== undefined) {
    const { summary, section, sentence, why, advice } = clientRule;
    return [summary, `Spec §${section}: ${sentence}`, why, advice];
  }
  const divergence = Object.values(contracts.divergences)
    .flat()
    .find((each) => each.id === id);
  return divergence && [divergence.title, divergence.actual];
}
