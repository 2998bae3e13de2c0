import type { JsonObject } from "../../../foundation/json/json.ts";
import type { RegistryContract } from "../../registry/registry-state.ts";
import type { OperationResult, WorldView } from "../operation.ts";
import { disclosedBriefly } from "../registry-context.ts";
import { contractOfParty } from "../splice-contracts.ts";

export const setupProposal = "Splice.AmuletRules:ExternalPartySetupProposal";

/** The active proposal to a party. */
export function proposalFor(party: string, world: WorldView): RegistryContract | undefined {
  return contractOfParty(setupProposal, "user", party, world);
}

/** The body of a submission of one choice, which discloses these contracts. The command id is that of the request. */
export function exerciseBody(
  command: { readonly contract: RegistryContract; readonly choice: string; readonly argument: JsonObject },
  party: string,
  { disclosed, counter }: { readonly disclosed: readonly RegistryContract[]; readonly counter: number },
): JsonObject {
  const { contract, choice, argument: choiceArgument } = command;
  const { templateId, contractId } = contract;
  return {
    commands: [{ ExerciseCommand: { templateId, contractId, choice, choiceArgument } }],
    commandId: `validator-${choice}-${counter}`,
    userId: "validator",
    actAs: [party],
    readAs: [],
    disclosedContracts: disclosed.map(disclosedBriefly),
    synchronizerId: "",
    packageIdSelectionPreference: [],
    verboseHashing: false,
  };
}

/** The contract id of the first contract of a template that a result creates. */
export function createdIn(result: Extract<OperationResult, { readonly type: "succeeded" }>, entity: string): string {
  for (const change of result.changes) {
    if (change.type !== "transaction-committed") continue;
    for (const event of change.update.events)
      if (event.type === "created" && event.contract.templateId.endsWith(`:${entity}`))
        return event.contract.contractId;
  }
  return "";
}
