import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import { impliedProvider, isUserAdministrator } from "../_user-administrator.ts";
import { managedElsewhere, userNotFound } from "../_user-refusal.ts";
import type { Operation, OperationResult } from "../operation.ts";
import { invalidArgument, invalidField } from "../refusal.ts";

/** `DELETE /v2/users/{user-id}`: deletes the user and its rights; a user cannot delete itself (Canton 3.5, openapi.yaml). */
export const deleteUser: Operation = {
  operationId: "deleteV2UsersUser-id",
  mayCall: ({ caller }) => isUserAdministrator(caller, caller.type === "user" ? caller.identityProviderId : ""),
  perform({ path, caller }, { ledger }): OperationResult {
    const userId = path["user-id"] ?? "";
    if (!isIdentifier("userId", userId)) return invalidField("user_id", `${JSON.stringify(userId)} is not a user id`);
    if (caller.type === "user" && caller.userId === userId)
      return invalidArgument("Requesting user cannot delete itself");
    const user = ledger.users.get(userId);
    if (user === undefined) return userNotFound(userId, "deleting user");
    if (user.identityProviderId !== impliedProvider(caller, "")) return managedElsewhere(userId);
    return { type: "succeeded", body: {}, changes: [{ type: "user-deleted", userId }] };
  },
};
