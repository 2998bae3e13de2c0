import { amuletRulesChoices } from "./amulet-rules-choices.ts";
import type { Choice } from "./choice.ts";
import type { Argument, Interpretation } from "./interpretation.ts";
import { preapprovalChoices } from "./preapproval-choices.ts";
import type { ChoiceExecution } from "./token-choices.ts";
import type { KnownContract } from "./transaction-builder.ts";

/** The choices of Splice beside the token standard. */
const choices: readonly Choice[] = [...amuletRulesChoices, ...preapprovalChoices];

/** The execution of a choice; undefined if the contract's template has none of this name. */
export function spliceChoice(
  name: string,
  { contract, argument }: { readonly contract: KnownContract; readonly argument: Argument },
  interpretation: Interpretation,
): ChoiceExecution | undefined {
  const isIts = ({ template }: Choice) => contract.templateId.endsWith(`:${template}`);
  const choice = choices.find((candidate) => candidate.name === name && isIts(candidate));
  if (choice === undefined) return undefined;
  const exercised = { contract, argument: interpretation.value(argument, choice.type) };
  return {
    argument: exercised.argument,
    isConsuming: choice.isConsuming,
    actingParties: choice.controllers(exercised),
    inside: () => choice.execute(exercised, interpretation),
  };
}
