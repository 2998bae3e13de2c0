import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import { impliedProvider } from "../_user-administrator.ts";
import { managedElsewhere, userNotFound } from "../_user-refusal.ts";
import type { Operation, OperationResult } from "../operation.ts";
import { invalidField } from "../refusal.ts";
import { rightJson } from "./_right-json.ts";
import { isSelfOrAdministrator } from "./_rights.ts";

/** `GET /v2/users/{user-id}/rights`: the rights of a user; a user may list its own (Canton 3.5, openapi.yaml). */
export const listUserRights: Operation = {
  operationId: "getV2UsersUser-idRights",
  mayCall: (call, { ledger }) =>
    isSelfOrAdministrator(call, call.path["user-id"] ?? "", ledger.users.get(call.path["user-id"] ?? "")),
  perform({ path, caller }, { ledger }): OperationResult {
    const userId = path["user-id"] ?? "";
    if (!isIdentifier("userId", userId)) return invalidField("user_id", `${JSON.stringify(userId)} is not a user id`);
    const user = ledger.users.get(userId);
    if (user === undefined) return userNotFound(userId, "list user rights");
    const isSelf = caller.type === "user" && caller.userId === userId;
    if (!isSelf && user.identityProviderId !== impliedProvider(caller, "")) return managedElsewhere(userId);
    return { type: "succeeded", body: { rights: user.rights.values().map(rightJson) }, changes: [] };
  },
};
