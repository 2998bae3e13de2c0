import type { Json } from "../http/json.ts";
import { isAllocated, type Right, rightKey, type User } from "../ledger/ledger-state.ts";
import { isIdentifier } from "../spec/identifiers.ts";
import type { Call, Operation, Outcome, WorldView } from "./_operation.ts";
import { invalidArgument, invalidField, nodeError, type Refusal } from "./_refusal.ts";
import { rightFrom, rightJson } from "./_right-json.ts";
import { isParticipantAdministrator, isUserAdministrator } from "./_user-administrator.ts";
import { checkSameUser, managedElsewhere, userNotFound } from "./_user-refusal.ts";

/** `POST /v2/users/{user-id}/rights`: adds to a set of rights (document 4.2; facts, ledger-api 4.4). */
export const grantUserRights: Operation = {
  operationId: "postV2UsersUser-idRights",
  precheck: ({ path, body }) => checkSameUser(path["user-id"] ?? "", body["userId"]),
  mayCall: ({ caller, body }) => {
    if (!isUserAdministrator(caller, String(body["identityProviderId"] ?? ""))) return false;
    return (
      isParticipantAdministrator(caller) ||
      !rightsIn(body["rights"]).some((right) => right !== undefined && guarded.has(right.type))
    );
  },
  perform: grant,
};

/** Rights that only a participant administrator may grant (facts, ledger-api 2.5). */
const guarded: ReadonlySet<string> = new Set(["ParticipantAdmin", "CanReadAsAnyParty", "CanExecuteAsAnyParty"]);

function grant(call: Call, { ledger, nowMs }: WorldView): Outcome {
  const userId = String(call.body["userId"] ?? "");
  if (!isIdentifier("userId", userId)) return invalidField("user_id", `${JSON.stringify(userId)} is not a user id`);
  const asked = rightsIn(call.body["rights"]);
  const refusal = asked.map(checkRight).find((found) => found !== undefined);
  if (refusal !== undefined) return refusal;
  const user = ledger.users.get(userId);
  if (user === undefined) return userNotFound(userId);
  if (user.identityProviderId !== String(call.body["identityProviderId"] ?? "")) {
    return managedElsewhere(userId);
  }
  const unknown = unknownParties(call, asked, (name) => {
    const party = ledger.parties.get(name);
    return party !== undefined && isAllocated(party, nowMs);
  });
  if (unknown.length > 0)
    return nodeError("UNKNOWN_RESOURCE", `Unknown parties: ${unknown.join(", ")}`, {
      resources: [["PARTIES", unknown.join(",")]],
    });
  return grantNew(
    user,
    asked.filter((right) => right !== undefined),
    ledger.limits.rightsPerUserMax,
  );
}

function grantNew(user: User, asked: readonly Right[], rightsPerUserMax: number): Outcome {
  const added = new Map(asked.map((right) => [rightKey(right), right]));
  for (const key of user.rights.keys()) added.delete(key);
  if (user.rights.size + added.size > rightsPerUserMax) {
    return nodeError("TOO_MANY_USER_RIGHTS", `User ${user.id} would have more than ${rightsPerUserMax} rights`, {
      resources: [["USER", user.id]],
    });
  }
  const rights = [...added.values()];
  const changes = rights.length === 0 ? [] : [{ type: "rights-granted", userId: user.id, rights } as const];
  return { type: "answered", body: { newlyGrantedRights: rights.map(rightJson) }, changes };
}

function rightsIn(json: Json | undefined): readonly (Right | undefined)[] {
  return Array.isArray(json) ? json.map(rightFrom) : [];
}

function checkRight(right: Right | undefined): Refusal | undefined {
  if (right === undefined)
    return invalidArgument("unknown kind of right - check that the Right message's 'kind' field is set");
  if (!("party" in right) || isIdentifier("partyId", right.party)) return undefined;
  return invalidArgument(`${JSON.stringify(right.party)} is not a party`);
}

/** A participant administrator may name parties that do not exist (yet); others may not (facts, ledger-api 4.4). */
function unknownParties(
  { caller }: Call,
  rights: readonly (Right | undefined)[],
  isKnown: (party: string) => boolean,
): readonly string[] {
  if (isParticipantAdministrator(caller)) return [];
  return rights.flatMap((right) =>
    right !== undefined && "party" in right && !isKnown(right.party) ? [right.party] : [],
  );
}
