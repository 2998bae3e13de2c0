import type { Json } from "../../../foundation/json/json.ts";
import { textOf } from "../../../foundation/json/members.ts";
import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import type { User } from "../../ledger/ledger-state.ts";
import { noRights } from "../../ledger/rights.ts";
import { uniqueIdentifierProblem } from "../_identifier-problem.ts";
import type { Call, Change, Operation, OperationResult, WorldView } from "../operation.ts";
import { allocateParty } from "../parties/allocate-party.ts";
import { registryError } from "../refusal.ts";
import { callOfLedger, isOperator } from "./_operator-call.ts";

/**
 * `POST /api/validator/v0/admin/users`: a ledger user with a party of its own; again, the same party. No contracts of a
 * wallet are created (Splice 0.6, validator-internal.yaml).
 */
export const onboardUser: Operation = { operationId: "postValidatorUsers", mayCall: isOperator, perform: onboard };

function onboard(call: Call, { ledger, ...world }: WorldView): OperationResult {
  const [name, requested] = [textOf(call.body["name"]), textOf(call.body["party_id"])];
  if (!isIdentifier("userId", name)) return registryError(400, `${JSON.stringify(name)} is not a user id`);
  const problem = requested === "" ? undefined : uniqueIdentifierProblem(requested);
  if (problem !== undefined) return registryError(400, problem);
  const known = ledger.users.get(name);
  const party = requested || (known?.primaryParty ?? "") || `${hintOf(name)}::${ledger.participantId.split("::")[1]}`;
  const allocated = allocationOf(call, party, { ledger, ...world });
  if (allocated.type !== "succeeded") return allocated;
  const changes = [...allocated.changes, ...changesOf(name, party, known)];
  return { type: "succeeded", body: { party_id: party }, changes };
}

/** The allocation of the party unless it exists. */
function allocationOf(call: Call, party: string, world: WorldView): OperationResult {
  if (world.ledger.parties.has(party)) return { type: "succeeded", body: {}, changes: [] };
  const isAllowed: Json = call.body["party_id"] === undefined || call.body["createPartyIfMissing"] === true;
  if (!isAllowed) return registryError(400, `The party ${party} does not exist, and createPartyIfMissing is not true`);
  return allocateParty.perform(callOfLedger(call, { partyIdHint: party.split("::")[0] ?? "" }), world);
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

/** The hint of a party: a user id with other characters replaced. */
function hintOf(userId: string): string {
  return userId.replaceAll(/[^A-Za-z0-9_-]/g, "_");
}
