import { seededHex } from "../../../foundation/crypto/seeded-hex.ts";
import { objectOf, textOf } from "../../../foundation/json/members.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { CachedMembers } from "../response-body.ts";
import { forParty } from "../splice-contracts.ts";
import { executeAndWait } from "../submissions/execute-and-wait.ts";
import { bytesOfHex, notHex } from "./_hex.ts";
import { callOfLedger, isOperator, signatureOf } from "./_operator-call.ts";
import { createdIn } from "./_setup-proposal.ts";

/** `POST …/external-party/setup-proposal/submit-accept`: executes the signed acceptance (Splice 0.6, HttpValidatorAdminHandler.scala). */
export const submitAcceptance: Operation = {
  operationId: "postValidatorSetupProposalSubmitAccept",
  mayCall: isOperator,
  perform: (call, world) =>
    forParty(objectOf(call.body["submission"])["party_id"], (party) => submit(party, call, world)),
};

function submit(party: string, call: Call, world: WorldView): OperationResult {
  const member = (name: string) => textOf(objectOf(call.body["submission"])[name]);
  const [key, signature] = [bytesOfHex(member("public_key")), bytesOfHex(member("signed_tx_hash"))];
  if (key === undefined) return notHex("public_key");
  if (signature === undefined) return notHex("signed_tx_hash");
  const body = {
    preparedTransaction: member("transaction"),
    partySignatures: { signatures: [{ party, signatures: [signatureOf(signature, key)] }] },
    deduplicationPeriod: { DeduplicationDuration: { value: { seconds: 60, nanos: 0 } } },
    submissionId: seededHex(world.seed, "acceptance", world.counter, 32),
    userId: "validator",
    hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
  };
  const executed = executeAndWait.perform(callOfLedger(call, body), world);
  if (executed.type !== "succeeded" || executed.body instanceof CachedMembers) return executed;
  const created = createdIn(executed, "Splice.AmuletRules:TransferPreapproval");
  const updateId = textOf(objectOf(executed.body)["updateId"]);
  return { ...executed, body: { transfer_preapproval_contract_id: created, update_id: updateId } };
}
