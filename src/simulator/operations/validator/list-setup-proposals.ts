import type { Operation } from "../operation.ts";
import { activeContracts, contractWithState, responseWith } from "../splice-contracts.ts";
import { isOperator } from "./_operator-call.ts";
import { setupProposal } from "./_setup-proposal.ts";

/** `GET …/external-party/setup-proposal`: the active proposals (Splice 0.6, HttpValidatorAdminHandler.scala). */
export const listSetupProposals: Operation = {
  operationId: "getValidatorSetupProposals",
  mayCall: isOperator,
  perform: (_, world) => responseWith({ contracts: activeContracts(setupProposal, world).map(contractWithState) }),
};
