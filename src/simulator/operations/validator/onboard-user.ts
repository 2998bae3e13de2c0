import { textOf } from "../../../foundation/json/members.ts";
import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import type { User } from "../../ledger/ledger-state.ts";
import { noRights } from "../../ledger/rights.ts";
import type { Call, Change, Operation, OperationResult, WorldView } from "../operation.ts";
import { allocateParty } from "../parties/allocate-party.ts";
import { registryError } from "../refusal.ts";
import { partyRefusal } from "../splice-contracts.ts";
import { callOfLedger, isOperator } from "./_operator-call.ts";

/**
 * `POST /api/validator/v0/admin/users`: a ledger user with a party of its own; again, the same party. No contracts of a
 * wallet are created (Splice 0.6, validator-internal.yaml).
 */
export const onboardUser: Operation = { operationId: "postValidatorUsers", mayCall: isOperator, perform: onboard };

function onboard(call: Call, { ledger, ...world }: WorldView): OperationResult {
  const name = textOf(call.body["name"]);
  if (!isIdentifier("userId", name)) return registryError(400, `${JSON.stringify(name)} is not a user id`);
  const known = ledger.users.get(name);
  const ownParty = known?.primaryParty || `${hintOf(name)}::${ledger.participantId.split("::")[1]}`;
  const party = textOf(call.body["party_id"] ?? ownParty);
  const refusal = partyRefusal(party);
  if (refusal !== undefined) return refusal;
  const allocated = allocationOf(call, party, { ledger, ...world });
  if (allocated.type !== "succeeded") return allocated;
  const changes = [...allocated.changes, ...changesOf(name, party, known)];
  return { type: "succeeded", body: { party_id: party }, changes };
}

/** The allocation of the party unless it exists. */
function allocationOf(call: Call, party: string, world: WorldView): OperationResult {
  if (world.ledger.parties.has(party)) return { type: "succeeded", body: {}, changes: [] };
  const missing = (why: string) => registryError(400, `The party ${party} does not exist, and ${why}`);
  const isRequested = (call.body["party_id"] ?? null) !== null;
  if (isRequested && call.body["createPartyIfMissing"] !== true) return missing("createPartyIfMissing is not true");
  const [partyIdHint = "", namespace] = party.split("::");
  if (namespace !== world.ledger.participantId.split("::")[1])
    return missing("its namespace is not that of the participant");
  return allocateParty.perform(callOfLedger(call, { partyIdHint }), world);
}

function changesOf(id: string, party: string, known: User | undefined): readonly Change[] {
  const right = { type: "CanActAs", party } as const;
  const granted: Change = { type: "rights-granted", userId: id, rights: [right] };
  if (known?.primaryParty === party) return known.rights.has(`CanActAs ${party}`) ? [] : [granted];
  if (known !== undefined) return [{ type: "user-updated", user: { ...known, primaryParty: party } }, granted];
  const user: User = {
    id,
    primaryParty: party,
    isDeactivated: false,
    identityProviderId: "",
    primaryPartyAuthentication: false,
    annotations: {},
    resourceVersion: "0",
    rights: noRights,
  };
  return [{ type: "user-created", user }, granted];
}

/** The hint of a user's party: `_` is doubled, and other characters are codes such as `_0040` (Splice 0.6, tests of the validator). */
function hintOf(userId: string): string {
  const codeOf = (character: string) => `_${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return userId.replaceAll("_", "__").replaceAll(/[^\w:-]/g, codeOf);
}
