import { textOf } from "../../../foundation/json/members.ts";
import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import type { User } from "../../ledger/ledger-state.ts";
import { type Right, rightKey } from "../../ledger/right.ts";
import { checkSameUser, managedElsewhere, userNotFound } from "../_user-refusal.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { invalidField } from "../refusal.ts";
import { rightJson } from "./_right-json.ts";
import { checkParties, checkRights, mayManageRights, rightsIn, tooManyRights } from "./_rights.ts";

/** `POST /v2/users/{user-id}/rights`: adds to a set of rights (spec §4.2; Canton 3.5, ApiUserManagementService.scala). */
export const grantUserRights: Operation = {
  operationId: "postV2UsersUser-idRights",
  precheck: ({ path, body }) => checkSameUser(path["user-id"] ?? "", body["userId"]),
  mayCall: (call) => mayManageRights(call, textOf(call.body["identityProviderId"]), rightsIn(call.body["rights"])),
  perform: grant,
};

function grant(call: Call, world: WorldView): OperationResult {
  const { users, limits } = world.ledger;
  const userId = textOf(call.body["userId"]);
  if (!isIdentifier("userId", userId)) return invalidField("user_id", `${JSON.stringify(userId)} is not a user id`);
  const requested = rightsIn(call.body["rights"]);
  const unfit = checkRights(requested);
  if (unfit !== undefined) return unfit;
  const provider = textOf(call.body["identityProviderId"]);
  const unknown = checkParties(call, requested, provider, world);
  if (unknown !== undefined) return unknown;
  const user = users.get(userId);
  if (user === undefined) return userNotFound(userId, "grant user rights");
  if (user.identityProviderId !== provider) return managedElsewhere(userId);
  const rights = requested.filter((right) => right !== undefined);
  return grantNew(user, rights, limits.rightsPerUserMax);
}

function grantNew(user: User, requested: readonly Right[], rightsPerUserMax: number): OperationResult {
  const added = new Map<string, Right>();
  for (const right of requested) {
    const key = rightKey(right);
    if (!user.rights.has(key)) added.set(key, right);
  }
  if (user.rights.size + added.size > rightsPerUserMax) return tooManyRights(user.id, rightsPerUserMax);
  const rights = [...added.values()];
  const changes = rights.length === 0 ? [] : [{ type: "rights-granted", userId: user.id, rights } as const];
  return { type: "succeeded", body: { newlyGrantedRights: rights.map(rightJson) }, changes };
}
