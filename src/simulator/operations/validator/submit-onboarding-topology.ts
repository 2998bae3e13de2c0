import { objectsOf, textOf } from "../../../foundation/json/members.ts";
import { operatorOf } from "../../ledger/operator.ts";
import { connectedSynchronizers } from "../_synchronizer.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { allocateExternalParty } from "../parties/allocate-external-party.ts";
import { bytesOfHex, notHex } from "./_hex.ts";
import { callOfLedger, isOperator, signatureOf } from "./_operator-call.ts";

/** `POST …/external-party/topology/submit`: allocates the party, and lets the operator act as it (Splice 0.6, HttpValidatorAdminHandler.scala). */
export const submitOnboardingTopology: Operation = {
  operationId: "postValidatorTopologySubmit",
  mayCall: isOperator,
  perform: submit,
};

function submit(call: Call, world: WorldView): OperationResult {
  const key = bytesOfHex(textOf(call.body["public_key"]));
  if (key === undefined) return notHex("public_key");
  const signed = objectsOf(call.body["signed_topology_txs"]);
  const signatures = signed.map((each) => bytesOfHex(textOf(each["signed_hash"])));
  if (signatures.includes(undefined)) return notHex("signed_hash");
  const onboardingTransactions = signed.map((each, index) => ({
    transaction: textOf(each["topology_tx"]),
    signatures: [signatureOf(signatures[index] ?? new Uint8Array(), key)],
  }));
  const synchronizer = connectedSynchronizers(world.ledger)[0]?.id ?? "";
  const userId = operatorOf(world.ledger)?.userId ?? "";
  const body = { synchronizer, identityProviderId: "", userId, onboardingTransactions, multiHashSignatures: [] };
  const allocated = allocateExternalParty.perform(callOfLedger(call, body), world);
  if (allocated.type !== "succeeded") return allocated;
  const party = allocated.changes.find((change) => change.type === "party-allocated")?.party.id ?? "";
  return { ...allocated, body: { party_id: party } };
}
