import type { JsonObject } from "../../../foundation/json/json.ts";
import { textOf } from "../../../foundation/json/members.ts";
import { instantOfMicros, microsOfMs } from "../../daml/daml-json.ts";
import { holdingsOf } from "../../daml/token-contracts.ts";
import { operatorOf } from "../../ledger/operator.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { registryError } from "../refusal.ts";
import { activeContracts, noContract, partyRefusal } from "../splice-contracts.ts";
import { submitAndWait } from "../submissions/submit-and-wait.ts";
import { callOfLedger, isOperator } from "./_operator-call.ts";
import { createdIn, exerciseBody, openRound, proposalFor, setupProposal } from "./_setup-proposal.ts";

/** How long pre-approvals last: the default of a validator, which is inferred. */
const lifetimeMs: number = 90 * 24 * 3600 * 1000;

/**
 * `POST …/external-party/setup-proposal`: the operator proposes a pre-approval to an external party, and pays for it
 * (Splice 0.6, HttpValidatorAdminHandler.scala).
 */
export const createSetupProposal: Operation = {
  operationId: "postValidatorSetupProposal",
  mayCall: isOperator,
  perform: create,
};

function create(call: Call, world: WorldView): OperationResult {
  const user = textOf(call.body["user_party_id"]);
  const misnamed = partyRefusal(user);
  if (misnamed !== undefined) return misnamed;
  const known = proposalFor(user, world);
  if (known !== undefined) return existing("ExternalPartySetupProposal", known.contractId);
  const { registry, nowMs, counter } = world;
  const preapproval = registry.preapprovals.get(user);
  if (preapproval !== undefined)
    return existing("TransferPreapproval", registry.contracts.get(preapproval.contract ?? "")?.contractId ?? "");
  const validator = operatorOf(world.ledger)?.partyId ?? "";
  const [[rules], round] = [activeContracts("Splice.AmuletRules:AmuletRules", world), openRound(world)];
  if (rules === undefined) return noContract("Splice.AmuletRules:AmuletRules");
  if (round === undefined) return noContract("Splice.Round:OpenMiningRound");
  const argument: JsonObject = {
    context: {
      amuletRules: rules.contractId,
      context: {
        openMiningRound: round.contractId,
        issuingMiningRounds: [],
        validatorRights: [],
        featuredAppRight: null,
      },
    },
    inputs: inputsOf(validator, world),
    user,
    validator,
    preapprovalExpiresAt: instantOfMicros(microsOfMs(nowMs + lifetimeMs)),
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

/** The unlocked tokens of a party. */
function inputsOf(party: string, { ledger, registry }: WorldView): readonly JsonObject[] {
  return holdingsOf(ledger.contracts.values(), registry)
    .filter(({ holding }) => holding.owner === party && holding.lock === undefined)
    .map(({ contract }) => ({ tag: "InputAmulet", value: contract.contractId }));
}
