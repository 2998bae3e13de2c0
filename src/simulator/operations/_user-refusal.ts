import type { Json } from "../../foundation/json/json.ts";
import { jsonLayerError, nodeError, type Refusal } from "./refusal.ts";

/** The node's JSON layer compares path and body before anything else, the token included (facts, ledger-api 2.2). */
export function checkSameUser(pathUserId: string, bodyUserId: Json | undefined): Refusal | undefined {
  if (pathUserId === bodyUserId) return undefined;
  const named = bodyUserId === undefined ? "None" : String(bodyUserId);
  return jsonLayerError("INVALID_ARGUMENT", `${pathUserId} does not match user id in the request body ${named}`);
}

export function userNotFound(userId: string): Refusal {
  return nodeError("USER_NOT_FOUND", `getting user failed for unknown user "${userId}"`, {
    resources: [["USER", userId]],
  });
}

/** A user that another identity provider manages. */
export function managedElsewhere(userId: string): Refusal {
  return nodeError("PERMISSION_DENIED", `User ${userId} is managed by another identity provider`);
}

/** A token of nobody names no user that a request without one could be taken for (facts, ledger-api 2.6). */
export function userMissing(): Refusal {
  return nodeError(
    "INVALID_TOKEN",
    "The submitted request is missing a user-id: the token names no user, so user_id cannot be defaulted",
  );
}
