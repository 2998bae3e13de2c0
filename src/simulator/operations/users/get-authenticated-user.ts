import { textOf } from "../../../foundation/json/members.ts";
import { managedElsewhere, userMissing, userNotFound } from "../_user-refusal.ts";
import type { Operation, OperationResult } from "../operation.ts";
import { userJson } from "./_user-json.ts";

/** `GET /v2/authenticated-user`: the user of the token; a token without a user is refused (Canton 3.5, AuthServiceWildcard.scala). */
export const getAuthenticatedUser: Operation = {
  operationId: "getV2Authenticated-user",
  perform({ caller, query, release }, { ledger }): OperationResult {
    const userId = caller.type === "anonymous" ? undefined : caller.userId;
    if (userId === undefined) return userMissing();
    const user = ledger.users.get(userId);
    if (user === undefined) return userNotFound(userId);
    const provider = textOf(query["identity-provider-id"]);
    if (provider !== "" && provider !== user.identityProviderId) return managedElsewhere(userId);
    return { type: "succeeded", body: { user: userJson(user, release) }, changes: [] };
  },
};
