import type { JsonObject } from "../../../foundation/json/json.ts";
import { instantOfMicros, microsOfMs } from "../../daml/daml-json.ts";
import { operatorOf } from "../../ledger/operator.ts";
import { paymentOf, preapprovalMicros } from "../_payment.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { registryError } from "../refusal.ts";
import { usablePreapproval } from "../registry-context.ts";
import { forParty } from "../splice-contracts.ts";
import { submitAndWait } from "../submissions/submit-and-wait.ts";
import { callOfLedger, isOperator } from "./_operator-call.ts";
import { createdIn, exerciseBody, proposalFor, setupProposal } from "./_setup-proposal.ts";

/**
 * `POST …/external-party/setup-proposal`: the operator proposes a pre-approval to an external party, and pays for it
 * (Splice 0.6, HttpValidatorAdminHandler.scala).
 */
export const createSetupProposal: Operation = {
  operationId: "postValidatorSetupProposal",
  mayCall: isOperator,
  perform: (call, world) => forParty(call.body["user_party_id"], (user) => create(user, call, world)),
};

function create(user: string, call: Call, world: WorldView): OperationResult {
  const known = proposalFor(user, world);
  if (known !== undefined) return existing("ExternalPartySetupProposal", known.contractId);
  const { registry, nowMs, counter } = world;
  const preapproval = usablePreapproval(registry, user, nowMs);
  if (preapproval !== undefined) return existing("TransferPreapproval", preapproval.contractId);
  const validator = operatorOf(world.ledger)?.partyId ?? "";
  const payment = paymentOf(validator, world);
  if (payment.type !== "found") return payment;
  const { rules, round } = payment;
  const argument: JsonObject = {
    ...payment.argument,
    user,
    validator,
    preapprovalExpiresAt: instantOfMicros(microsOfMs(nowMs) + preapprovalMicros),
    expectedDso: registry.admin,
  };
  const choice = "AmuletRules_CreateExternalPartySetupProposal";
  const body = exerciseBody({ contract: rules, choice, argument }, validator, { disclosed: [rules, round], counter });
  const submitted = submitAndWait.perform(callOfLedger(call, body), world);
  if (submitted.type === "succeeded")
    return { ...submitted, body: { contract_id: createdIn(submitted, setupProposal) } };
  const missing = submitted.type === "ledger-error" ? /missingAmount = ([\d.]+)/.exec(submitted.cause)?.[1] : undefined;
  return missing === undefined
    ? submitted
    : registryError(400, `Insufficient funds for the transfer pre-approval purchase (missing ${missing} CC)`);
}

function existing(entity: string, contractId: string): OperationResult {
  return registryError(409, `${entity} contract already exists: ${contractId}`);
}
