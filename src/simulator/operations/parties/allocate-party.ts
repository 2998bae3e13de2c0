import { seededHex } from "../../../foundation/crypto/seeded-hex.ts";
import type { JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, textOf } from "../../../foundation/json/members.ts";
import type { Party } from "../../ledger/ledger-state.ts";
import { annotationsOf, checkAnnotations, emptyAnnotation } from "../_annotations.ts";
import { partyProblem, uniqueIdentifierProblem } from "../_identifier-problem.ts";
import { isUserAdministrator } from "../_user-administrator.ts";
import { userNotFound } from "../_user-refusal.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { invalidArgument } from "../refusal.ts";
import { partyJson } from "./_party-json.ts";

/** `POST /v2/parties`: allocates a party in the participant's namespace, for which the node signs (Canton 3.5, openapi.yaml). */
export const allocateParty: Operation = {
  operationId: "postV2Parties",
  mayCall: ({ caller, body }) => isUserAdministrator(caller, textOf(body["identityProviderId"])),
  perform: allocate,
};

function allocate({ body }: Call, { ledger, seed, nowMs }: WorldView): OperationResult {
  const { participantId, parties, users } = ledger;
  const metadata = objectOf(body["localMetadata"]);
  const unfit = checkMetadata(metadata, ledger.limits.annotationsBytesMax);
  if (unfit !== undefined) return invalidArgument(unfit);
  const hint = textOf(body["partyIdHint"]) || `party-${seededHex(seed, "party", parties.size, 32)}`;
  const id = `${hint}::${participantId.split("::")[1] ?? ""}`;
  const misnamed = partyProblem(hint) ?? uniqueIdentifierProblem(id);
  if (misnamed !== undefined) return invalidArgument(misnamed);
  const provider = textOf(body["identityProviderId"]);
  if (provider !== "" && !ledger.identityProviders.has(provider))
    return invalidArgument(`Provided identity_provider_id ${provider} has not been found.`);
  const userId = textOf(body["userId"]);
  if (userId !== "" && !users.has(userId)) return userNotFound(userId);
  if (parties.has(id)) return invalidArgument(`Party already exists: party ${id} is already allocated on this node`);
  const party: Party = {
    id,
    onboardingHash: "",
    hostedBy: [participantId],
    awaiting: [],
    visibleFromMs: nowMs,
    identityProviderId: provider,
    annotations: annotationsOf(metadata["annotations"]),
    resourceVersion: "0",
    signingKeys: [],
    signingThreshold: 1,
  };
  const rights = [{ type: "CanActAs", party: id }] as const;
  const granted = userId === "" ? [] : [{ type: "rights-granted", userId, rights } as const];
  return {
    type: "succeeded",
    body: { partyDetails: partyJson(party, participantId) },
    changes: [{ type: "party-allocated", party }, ...granted],
  };
}

/** The problem with the local metadata of a request (Canton 3.5, ApiPartyManagementService.scala). */
function checkMetadata(metadata: JsonObject, bytesMax: number): string | undefined {
  if (textOf(metadata["resourceVersion"]) !== "")
    return "field party_details.local_metadata.resource_version must be not set";
  const annotations = annotationsOf(metadata["annotations"]);
  return (
    checkAnnotations(annotations, bytesMax, "party_details.local_metadata.annotations") ?? emptyAnnotation(annotations)
  );
}
