import { bytesToHex } from "@noble/hashes/utils.js";
import { objectOf, textOf } from "../../../foundation/json/members.ts";
import { bytesOfBase64 } from "../../../foundation/text/base64.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { registryError } from "../refusal.ts";
import { CachedMembers } from "../response-body.ts";
import { forParty, responseWith } from "../splice-contracts.ts";
import { prepareSubmission } from "../submissions/prepare-submission.ts";
import { callOfLedger, isOperator } from "./_operator-call.ts";
import { exerciseBody, proposalFor } from "./_setup-proposal.ts";

/**
 * `POST …/external-party/setup-proposal/prepare-accept`: the transaction that the party signs. The stub has no hashing
 * details (Splice 0.6, HttpValidatorAdminHandler.scala).
 */
export const prepareAcceptance: Operation = {
  operationId: "postValidatorSetupProposalPrepareAccept",
  mayCall: isOperator,
  perform: (call, world) => forParty(call.body["user_party_id"], (party) => prepare(party, call, world)),
};

function prepare(party: string, call: Call, world: WorldView): OperationResult {
  const contract = proposalFor(party, world);
  if (contract === undefined) return registryError(404, `No ExternalPartySetupProposal contract found for ${party}`);
  if (contract.contractId !== textOf(call.body["contract_id"]))
    return registryError(400, "Found contract does not match provided contractId.");
  const command = { contract, choice: "ExternalPartySetupProposal_Accept", argument: {} };
  const body = exerciseBody(command, party, { disclosed: [contract], counter: world.counter });
  const prepared = prepareSubmission.perform(callOfLedger(call, body), world);
  if (prepared.type !== "succeeded" || prepared.body instanceof CachedMembers) return prepared;
  const { preparedTransaction, preparedTransactionHash } = objectOf(prepared.body);
  const hash = bytesOfBase64(textOf(preparedTransactionHash)) ?? new Uint8Array();
  return responseWith({ transaction: textOf(preparedTransaction), tx_hash: bytesToHex(hash) });
}
