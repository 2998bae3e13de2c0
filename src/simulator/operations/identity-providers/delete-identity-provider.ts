import { isParticipantAdministrator } from "../_user-administrator.ts";
import type { Operation, OperationResult } from "../operation.ts";
import { invalidArgument } from "../refusal.ts";
import { checkProviderId, providerNotFound } from "./_identity-provider.ts";

/** `DELETE /v2/idps/{idp-id}`: removes a configuration; its users stay (Canton 3.5, openapi.yaml). */
export const deleteIdentityProvider: Operation = {
  operationId: "deleteV2IdpsIdp-id",
  mayCall: ({ caller }) => isParticipantAdministrator(caller),
  perform({ path, release }, { ledger }): OperationResult {
    const id = path["idp-id"] ?? "";
    const misnamed = checkProviderId(id);
    if (misnamed !== undefined) return misnamed;
    if (!ledger.identityProviders.has(id)) return providerNotFound(id, "deleting identity provider config");
    // By the spec, the list of configurations is never empty.
    if (release.isByLetter && ledger.identityProviders.size === 1)
      return invalidArgument("The last identity provider configuration cannot be deleted");
    return { type: "succeeded", body: {}, changes: [{ type: "identity-provider-deleted", id }] };
  },
};
