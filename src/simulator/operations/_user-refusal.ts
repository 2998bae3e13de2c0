import { type Json, textOfJson } from "../../foundation/json/json.ts";
import { jsonLayerError, nodeError, type Refusal } from "./refusal.ts";

/** Refuses different user ids in path and body. The JSON layer of a node checks this before the token (Canton 3.5, Endpoints.scala). */
export function checkSameUser(pathUserId: string, bodyUserId: Json | undefined): Refusal | undefined {
  if (pathUserId === bodyUserId) return undefined;
  const named = bodyUserId === undefined ? "None" : `Some(${textOfJson(bodyUserId)})`;
  // The blank at the end is that of release 3.5.10.
  const refusal = jsonLayerError(`${pathUserId} does not match user in body: ${named} `);
  return bodyUserId === undefined || bodyUserId === ""
    ? { ...refusal, explanation: `The body has no userId. Add "userId": ${JSON.stringify(pathUserId)}.` }
    : refusal;
}

/** `attempted` names the operation in the node's words. */
export function userNotFound(userId: string, attempted = "getting user"): Refusal {
  return nodeError("USER_NOT_FOUND", `${attempted} failed for unknown user "${userId}"`, {
    resources: [["USER", userId]],
  });
}

/** A user that another identity provider manages. */
export function managedElsewhere(userId: string): Refusal {
  return nodeError("PERMISSION_DENIED", `User ${userId} is managed by another identity provider`);
}

/** The refusal if neither request nor token names a user (Canton 3.5, AuthServiceWildcard.scala). */
export function userMissing(): Refusal {
  return nodeError(
    "INVALID_TOKEN",
    "The submitted request is missing a user-id: the token names no user, so user_id cannot be defaulted",
  );
}
