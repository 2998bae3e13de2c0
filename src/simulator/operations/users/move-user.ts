import { textOf } from "../../../foundation/json/members.ts";
import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import { isParticipantAdministrator } from "../_user-administrator.ts";
import { checkSameUser, managedElsewhere, userNotFound } from "../_user-refusal.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { invalidArgument, invalidField } from "../refusal.ts";

/** `PATCH /v2/users/{user-id}/identity-provider-id`: moves a user to another identity provider (Canton 3.5, ApiUserManagementService.scala). */
export const moveUser: Operation = {
  operationId: "patchV2UsersUser-idIdentity-provider-id",
  precheck: ({ path, body }) => checkSameUser(path["user-id"] ?? "", body["userId"]),
  mayCall: ({ caller }) => isParticipantAdministrator(caller),
  perform: move,
};

function move({ body }: Call, { ledger }: WorldView): OperationResult {
  const userId = textOf(body["userId"]);
  if (!isIdentifier("userId", userId)) return invalidField("user_id", `${JSON.stringify(userId)} is not a user id`);
  const [source, target] = [textOf(body["sourceIdentityProviderId"]), textOf(body["targetIdentityProviderId"])];
  const unknown = [source, target].find((id) => id !== "" && !ledger.identityProviders.has(id));
  if (unknown !== undefined) return invalidArgument(`Provided identity_provider_id ${unknown} has not been found.`);
  const user = ledger.users.get(userId);
  if (user === undefined) return userNotFound(userId);
  if (user.identityProviderId !== source) return managedElsewhere(userId);
  const moved = { ...user, identityProviderId: target };
  return { type: "succeeded", body: {}, changes: [{ type: "user-updated", user: moved }] };
}
