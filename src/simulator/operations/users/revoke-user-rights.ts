import { textOf } from "../../../foundation/json/members.ts";
import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import { rightKey } from "../../ledger/right.ts";
import { checkSameUser, managedElsewhere, userNotFound } from "../_user-refusal.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { invalidArgument, invalidField } from "../refusal.ts";
import { rightJson } from "./_right-json.ts";
import { checkRights, mayManageRights, rightsIn } from "./_rights.ts";

/** `PATCH /v2/users/{user-id}/rights`: revokes rights (Canton 3.5, openapi.yaml and ApiUserManagementService.scala). */
export const revokeUserRights: Operation = {
  operationId: "patchV2UsersUser-idRights",
  precheck: ({ path, body }) => checkSameUser(path["user-id"] ?? "", body["userId"]),
  mayCall: (call) => mayManageRights(call, textOf(call.body["identityProviderId"]), rightsIn(call.body["rights"])),
  perform: revoke,
};

function revoke({ body, caller }: Call, { ledger }: WorldView): OperationResult {
  const userId = textOf(body["userId"]);
  if (!isIdentifier("userId", userId)) return invalidField("user_id", `${JSON.stringify(userId)} is not a user id`);
  const requested = rightsIn(body["rights"]);
  const unfit = checkRights(requested);
  if (unfit !== undefined) return unfit;
  const isSelf = caller.type === "user" && caller.userId === userId;
  if (isSelf && requested.some((right) => right?.type === "ParticipantAdmin"))
    return invalidArgument("Requesting user cannot revoke its own ParticipantAdmin right");
  const user = ledger.users.get(userId);
  if (user === undefined) return userNotFound(userId, "revoke user rights");
  if (user.identityProviderId !== textOf(body["identityProviderId"])) return managedElsewhere(userId);
  const keys = new Set(requested.flatMap((right) => (right === undefined ? [] : [rightKey(right)])));
  const rights = user.rights.among(keys);
  const changes = rights.length === 0 ? [] : [{ type: "rights-revoked", userId, rights } as const];
  return { type: "succeeded", body: { newlyRevokedRights: rights.map(rightJson) }, changes };
}
