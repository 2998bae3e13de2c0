import { isParticipantAdministrator } from "../_user-administrator.ts";
import type { Operation, OperationResult } from "../operation.ts";
import { checkProviderId, providerJson, providerNotFound } from "./_identity-provider.ts";

/** `GET /v2/idps/{idp-id}`: one configuration (Canton 3.5, openapi.yaml). */
export const getIdentityProvider: Operation = {
  operationId: "getV2IdpsIdp-id",
  mayCall: ({ caller }) => isParticipantAdministrator(caller),
  perform({ path }, { ledger }): OperationResult {
    const id = path["idp-id"] ?? "";
    const misnamed = checkProviderId(id);
    if (misnamed !== undefined) return misnamed;
    const provider = ledger.identityProviders.get(id);
    if (provider === undefined) return providerNotFound(id, "getting identity provider config");
    return { type: "succeeded", body: { identityProviderConfig: providerJson(provider) }, changes: [] };
  },
};
