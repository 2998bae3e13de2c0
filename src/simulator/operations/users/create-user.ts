import type { JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, textOf } from "../../../foundation/json/members.ts";
import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import type { User } from "../../ledger/ledger-state.ts";
import type { Right } from "../../ledger/right.ts";
import { noRights } from "../../ledger/rights.ts";
import { annotationsOf, checkAnnotations, emptyAnnotation } from "../_annotations.ts";
import { partyProblem } from "../_identifier-problem.ts";
import { impliedProvider } from "../_user-administrator.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { invalidArgument, invalidField, missingField, nodeError, type Refusal } from "../refusal.ts";
import { checkParties, checkRights, mayManageRights, rightsIn, tooManyRights } from "./_rights.ts";
import { userJson } from "./_user-json.ts";

/** `POST /v2/users`: a user with its first rights (Canton 3.5, openapi.yaml). */
export const createUser: Operation = {
  operationId: "postV2Users",
  mayCall: (call) => mayManageRights(call, providerOf(call), rightsIn(call.body["rights"])),
  perform: create,
};

function create(call: Call, world: WorldView): OperationResult {
  const { users, limits } = world.ledger;
  const requested = rightsIn(call.body["rights"]);
  const given = { ...objectOf(call.body["user"]), identityProviderId: providerOf(call) };
  const unfit = checkUser(given, world) ?? checkRights(requested);
  if (unfit !== undefined) return unfit;
  const unknown = checkParties(call, requested, given.identityProviderId, world);
  if (unknown !== undefined) return unknown;
  const user = userFrom(
    given,
    requested.filter((right) => right !== undefined),
  );
  if (users.has(user.id))
    return nodeError("USER_ALREADY_EXISTS", `creating user failed, as user "${user.id}" already exists`, {
      resources: [["USER", user.id]],
    });
  if (user.rights.size > limits.rightsPerUserMax) return tooManyRights(user.id, limits.rightsPerUserMax);
  return { type: "succeeded", body: { user: userJson(user, call.release) }, changes: [{ type: "user-created", user }] };
}

function providerOf({ caller, body }: Call): string {
  return impliedProvider(caller, textOf(objectOf(body["user"])["identityProviderId"]));
}

function checkUser(given: JsonObject, { ledger }: WorldView): Refusal | undefined {
  const userId = textOf(given["id"]);
  if (userId === "") return missingField("id");
  if (!isIdentifier("userId", userId)) return invalidField("id", `${JSON.stringify(userId)} is not a user id`);
  const primaryParty = textOf(given["primaryParty"]);
  const misnamed = primaryParty === "" ? undefined : partyProblem(primaryParty);
  if (misnamed !== undefined) return invalidArgument(misnamed);
  const metadata = objectOf(given["metadata"]);
  if (textOf(metadata["resourceVersion"]) !== "")
    return invalidArgument("field user.metadata.resource_version must be not set");
  const annotations = annotationsOf(metadata["annotations"]);
  const unfit = checkAnnotations(annotations, ledger.limits.annotationsBytesMax) ?? emptyAnnotation(annotations);
  if (unfit !== undefined) return invalidArgument(unfit);
  const provider = textOf(given["identityProviderId"]);
  return provider === "" || ledger.identityProviders.has(provider)
    ? undefined
    : invalidArgument(`Provided identity_provider_id ${provider} has not been found.`);
}

function userFrom(given: JsonObject, rights: readonly Right[]): User {
  return {
    id: textOf(given["id"]),
    primaryParty: textOf(given["primaryParty"]),
    isDeactivated: given["isDeactivated"] === true,
    identityProviderId: textOf(given["identityProviderId"]),
    primaryPartyAuthentication: given["primaryPartyAuthentication"] === true,
    annotations: annotationsOf(objectOf(given["metadata"])["annotations"]),
    resourceVersion: "0",
    rights: noRights.with(rights),
  };
}
