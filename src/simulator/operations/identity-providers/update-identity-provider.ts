import type { IdentityProvider } from "../../ledger/ledger-state.ts";
import { maskProblem, pathsOf } from "../_field-mask.ts";
import { isParticipantAdministrator } from "../_user-administrator.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { jsonLayerError, missingField, nodeError } from "../refusal.ts";
import {
  checkIssuer,
  checkProviderId,
  checkShape,
  providerFrom,
  providerJson,
  providerNotFound,
} from "./_identity-provider.ts";

const maskPaths: ReadonlySet<string> = new Set([
  "identity_provider_id",
  "is_deactivated",
  "issuer",
  "jwks_url",
  "audience",
]);

/** `PATCH /v2/idps/{idp-id}`: changes the fields that the mask names (contracts/error-codes.yaml; Canton 3.5, openapi.yaml). */
export const updateIdentityProvider: Operation = {
  operationId: "patchV2IdpsIdp-id",
  precheck: ({ path, body }) => {
    const [named, id] = [providerFrom(body["identityProviderConfig"]).id, path["idp-id"] ?? ""];
    return named === id
      ? undefined
      : jsonLayerError(`${id} does not match the identity provider id ${named} in the body`);
  },
  mayCall: ({ caller }) => isParticipantAdministrator(caller),
  perform: update,
};

const attempted = "updating identity provider config";

function update({ body }: Call, { ledger }: WorldView): OperationResult {
  const given = providerFrom(body["identityProviderConfig"]);
  const misnamed = checkProviderId(given.id);
  if (misnamed !== undefined) return misnamed;
  if (body["updateMask"] === undefined) return missingField("update_mask");
  const paths = pathsOf(body["updateMask"]);
  const problem = maskProblem(paths, maskPaths);
  if (problem !== undefined)
    return nodeError(
      "INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST",
      `Update operation for identity provider config '${given.id}' failed due to: ${problem}`,
      { resources: [["IDENTITY_PROVIDER_CONFIG", given.id]] },
    );
  const known = ledger.identityProviders.get(given.id);
  if (known === undefined) return providerNotFound(given.id, attempted);
  const provider = changed(known, given, new Set(paths));
  const refusal = checkShape(provider) ?? checkIssuer(provider, ledger.identityProviders.values(), attempted);
  if (refusal !== undefined) return refusal;
  return {
    type: "succeeded",
    body: { identityProviderConfig: providerJson(provider) },
    changes: [{ type: "identity-provider-configured", provider }],
  };
}

function changed(known: IdentityProvider, given: IdentityProvider, mask: ReadonlySet<string>): IdentityProvider {
  return {
    id: known.id,
    isDeactivated: mask.has("is_deactivated") ? given.isDeactivated : known.isDeactivated,
    issuer: mask.has("issuer") ? given.issuer : known.issuer,
    jwksUrl: mask.has("jwks_url") ? given.jwksUrl : known.jwksUrl,
    audience: mask.has("audience") ? given.audience : known.audience,
  };
}
