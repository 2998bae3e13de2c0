import { textOf } from "../../../foundation/json/members.ts";
import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import { impliedProvider } from "../_user-administrator.ts";
import { managedElsewhere, userNotFound } from "../_user-refusal.ts";
import type { Operation, OperationResult } from "../operation.ts";
import { invalidField } from "../refusal.ts";
import { isSelfOrAdministrator } from "./_rights.ts";
import { userJson } from "./_user-json.ts";

/** `GET /v2/users/{user-id}`: one user; a user may read itself (Canton 3.5, openapi.yaml). */
export const getUser: Operation = {
  operationId: "getV2UsersUser-id",
  mayCall: (call, { ledger }) =>
    isSelfOrAdministrator(call, call.path["user-id"] ?? "", ledger.users.get(call.path["user-id"] ?? "")),
  perform({ path, query, caller, release }, { ledger }): OperationResult {
    const userId = path["user-id"] ?? "";
    if (!isIdentifier("userId", userId)) return invalidField("user_id", `${JSON.stringify(userId)} is not a user id`);
    const user = ledger.users.get(userId);
    if (user === undefined) return userNotFound(userId);
    const isSelf = caller.type === "user" && caller.userId === userId;
    const provider = impliedProvider(caller, textOf(query["identity-provider-id"]));
    if (!isSelf && provider !== user.identityProviderId) return managedElsewhere(userId);
    return { type: "succeeded", body: { user: userJson(user, release) }, changes: [] };
  },
};
