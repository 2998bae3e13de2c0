import { isJsonObject, type JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, textOf } from "../../../foundation/json/members.ts";
import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import type { LedgerState, User } from "../../ledger/ledger-state.ts";
import { nextVersion } from "../../ledger/next-version.ts";
import { annotationsOf, checkAnnotations, mergedAnnotations, sizeOf } from "../_annotations.ts";
import { maskProblem, pathsOf } from "../_field-mask.ts";
import { partyProblem } from "../_identifier-problem.ts";
import { isUserAdministrator } from "../_user-administrator.ts";
import { checkSameUser, managedElsewhere, userNotFound } from "../_user-refusal.ts";
import type { Call, Operation, OperationResult, Release, WorldView } from "../operation.ts";
import { invalidArgument, invalidField, missingField, nodeError, type Refusal } from "../refusal.ts";
import { userJson } from "./_user-json.ts";

/** `PATCH /v2/users/{user-id}`: changes the fields that the mask names (spec §4.2; Canton 3.5, ApiUserManagementService.scala). */
export const updateUser: Operation = {
  operationId: "patchV2UsersUser-id",
  precheck: ({ path, body }) => checkSameUser(path["user-id"] ?? "", objectOf(body["user"])["id"]),
  mayCall: ({ caller, body }) => isUserAdministrator(caller, textOf(objectOf(body["user"])["identityProviderId"])),
  perform: update,
};

/** The paths of a mask, in protobuf notation; release 3.5 adds one. Some are accepted without effect. */
const maskPathsBefore: ReadonlySet<string> = new Set([
  "id",
  "primary_party",
  "is_deactivated",
  "metadata",
  "metadata.annotations",
  "metadata.resource_version",
  "identity_provider_id",
]);
const maskPaths: ReadonlySet<string> = new Set([...maskPathsBefore, "primary_party_authentication"]);

interface UserUpdate {
  readonly userId: string;
  readonly given: JsonObject;
  readonly annotations: Readonly<Record<string, string>>;
  readonly resourceVersion: string;
  /** The paths of the fields to change. */
  readonly mask: readonly string[];
}

function update(call: Call, { ledger }: WorldView): OperationResult {
  const given = objectOf(call.body["user"]);
  const metadata = objectOf(given["metadata"]);
  const requested: UserUpdate = {
    userId: textOf(given["id"]),
    given,
    annotations: annotationsOf(metadata["annotations"]),
    resourceVersion: textOf(metadata["resourceVersion"]),
    mask: pathsOf(call.body["updateMask"]),
  };
  const unfit = checkShape(requested, call, ledger) ?? checkCaller(call, requested);
  if (unfit !== undefined) return unfit;
  const user = ledger.users.get(requested.userId);
  if (user === undefined) return userNotFound(requested.userId, "updating user");
  const stale = checkAgainst(user, requested);
  if (stale !== undefined) return stale;
  const next = changed(user, requested);
  if (sizeOf(next.annotations) > ledger.limits.annotationsBytesMax) return annotationsTooBig(user.id, ledger);
  const shown = { ...next, resourceVersion: nextVersion(user.resourceVersion) };
  return {
    type: "succeeded",
    body: { user: userJson(shown, call.release) },
    changes: [{ type: "user-updated", user: next }],
  };
}

/** Checks that do not depend on the stored user, in the order of the node. */
function checkShape(
  { userId, given, annotations, resourceVersion, mask }: UserUpdate,
  { body: { updateMask }, release }: Call,
  ledger: LedgerState,
): Refusal | undefined {
  if (!isIdentifier("userId", userId)) return invalidField("user.id", `${JSON.stringify(userId)} is not a user id`);
  if (!isJsonObject(updateMask)) return missingField("update_mask");
  const primaryParty = textOf(given["primaryParty"]);
  const misnamed = primaryParty === "" ? undefined : partyProblem(primaryParty);
  if (misnamed !== undefined) return invalidArgument(misnamed);
  if (resourceVersion !== "" && !isIdentifier("resourceVersion", resourceVersion))
    return invalidField("user.metadata.resource_version", "Invalid resource version number");
  const unfit = checkAnnotations(annotations, ledger.limits.annotationsBytesMax);
  if (unfit !== undefined) return invalidArgument(unfit);
  const unreadable = checkMask(userId, mask, release);
  if (unreadable !== undefined) return unreadable;
  const provider = textOf(given["identityProviderId"]);
  return provider === "" || ledger.identityProviders.has(provider)
    ? undefined
    : invalidArgument(`Provided identity_provider_id ${provider} has not been found.`);
}

function checkMask(userId: string, paths: readonly string[], release: Release): Refusal | undefined {
  const problem = maskProblem(paths, release.hasPrimaryPartyAuthentication ? maskPaths : maskPathsBefore);
  if (problem === undefined) return undefined;
  return nodeError(
    "INVALID_USER_UPDATE_REQUEST",
    `Update operation for user id '${userId}' failed due to: ${problem}`,
    { resources: [["USER", userId]] },
  );
}

/** Refuses a user who deactivates itself. */
function checkCaller({ caller }: Call, { userId, given, mask }: UserUpdate): Refusal | undefined {
  const isSelf = caller.type !== "anonymous" && caller.userId === userId;
  return isSelf && mask.includes("is_deactivated") && given["isDeactivated"] === true
    ? invalidArgument("Requesting user cannot self-deactivate")
    : undefined;
}

/** Compares the resource version whenever the request gives one, even if the mask does not name it. */
function checkAgainst(user: User, { given, resourceVersion }: UserUpdate): Refusal | undefined {
  if (user.identityProviderId !== textOf(given["identityProviderId"])) return managedElsewhere(user.id);
  if (resourceVersion === "" || withoutZeros(resourceVersion) === withoutZeros(user.resourceVersion)) return undefined;
  return nodeError(
    "CONCURRENT_USER_UPDATE_DETECTED",
    `Update operation for user '${user.id}' failed due to a concurrent update to the same user`,
    { resources: [["USER", user.id]] },
  );
}

/** A decimal number without leading zeros. Converting a long one takes long. */
function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, "");
}

function changed(user: User, { given, annotations, mask }: UserUpdate): User {
  return {
    ...user,
    primaryParty: mask.includes("primary_party") ? textOf(given["primaryParty"]) : user.primaryParty,
    isDeactivated: mask.includes("is_deactivated") ? given["isDeactivated"] === true : user.isDeactivated,
    primaryPartyAuthentication: mask.includes("primary_party_authentication")
      ? given["primaryPartyAuthentication"] === true
      : user.primaryPartyAuthentication,
    annotations:
      mask.includes("metadata") || mask.includes("metadata.annotations")
        ? mergedAnnotations(user.annotations, annotations)
        : user.annotations,
  };
}

function annotationsTooBig(userId: string, { limits }: LedgerState): Refusal {
  return nodeError(
    "MAX_USER_ANNOTATIONS_SIZE_EXCEEDED",
    `Maximum annotations size of ${limits.annotationsBytesMax} bytes for user '${userId}' has been exceeded`,
    { resources: [["USER", userId]] },
  );
}
