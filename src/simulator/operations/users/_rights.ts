import type { Json } from "../../../foundation/json/json.ts";
import { isAllocated, type User } from "../../ledger/ledger-state.ts";
import type { Right } from "../../ledger/right.ts";
import { partyProblem } from "../_identifier-problem.ts";
import { isParticipantAdministrator, isUserAdministrator } from "../_user-administrator.ts";
import type { Call, WorldView } from "../operation.ts";
import { invalidArgument, nodeError, type Refusal } from "../refusal.ts";
import { rightFrom } from "./_right-json.ts";

/** Rights in a request; undefined for a right without a kind. */
type RequestedRights = readonly (Right | undefined)[];

export function rightsIn(json: Json | undefined): RequestedRights {
  return Array.isArray(json) ? json.map(rightFrom) : [];
}

/** Whether the caller may grant or revoke these rights for a user of this identity provider (Canton 3.5, the authorizers in ledger/api/auth/services). */
export function mayManageRights(
  { caller, release }: Call,
  identityProviderId: string,
  rights: RequestedRights,
): boolean {
  const isGuarded = ({ type }: Right) =>
    type === "ParticipantAdmin" ||
    type === "CanActAsAnyParty" ||
    (release.guardsAnyPartyRights && (type === "CanReadAsAnyParty" || type === "CanExecuteAsAnyParty"));
  if (!isUserAdministrator(caller, identityProviderId)) return false;
  return isParticipantAdministrator(caller) || !rights.some((right) => right !== undefined && isGuarded(right));
}

/** Refuses the first invalid right. */
export function checkRights(rights: RequestedRights): Refusal | undefined {
  for (const right of rights) {
    if (right === undefined)
      return invalidArgument("unknown kind of right - check that the Right message's 'kind' field is set");
    const misnamed = "party" in right ? partyProblem(right.party) : undefined;
    if (misnamed !== undefined) return invalidArgument(misnamed);
  }
  return undefined;
}

/** Refuses rights over unknown parties; the release decides for which rights of a participant administrator. */
export function checkParties(
  call: Call,
  rights: RequestedRights,
  provider: string,
  { ledger, nowMs }: WorldView,
): Refusal | undefined {
  const isKnown = (name: string) => {
    const party = ledger.parties.get(name);
    return party !== undefined && isAllocated(party, nowMs);
  };
  const isChecked = ({ type }: Right) =>
    !isParticipantAdministrator(call.caller) || (!call.release.grantsUnknownParties && type !== "CanExecuteAs");
  const unknown = rights.flatMap((right) =>
    right !== undefined && "party" in right && isChecked(right) && !isKnown(right.party) ? [right.party] : [],
  );
  if (unknown.length === 0) return undefined;
  const parties = [...new Set(unknown)];
  return nodeError(
    "UNKNOWN_RESOURCE",
    `The submitted request refers to a non-existing PARTIES: Provided parties have not been found in identity_provider_id=\`${provider}\`: [${parties.join(",")}].`,
    { resources: parties.map((party) => ["PARTIES", party]) },
  );
}

export function tooManyRights(userId: string, rightsPerUserMax: number): Refusal {
  return nodeError("TOO_MANY_USER_RIGHTS", `User ${userId} would have more than ${rightsPerUserMax} rights`, {
    resources: [["USER", userId]],
  });
}

/** Whether the caller is this user, or administers users of its identity provider. */
export function isSelfOrAdministrator({ caller }: Call, userId: string, user: User | undefined): boolean {
  if (caller.type === "user" && caller.userId === userId) return true;
  return isUserAdministrator(caller, user?.identityProviderId ?? "");
}
