import { isParticipantAdministrator } from "../_user-administrator.ts";
import type { Operation } from "../operation.ts";
import { providerJson } from "./_identity-provider.ts";

/** `GET /v2/idps`: the configured identity providers; the default one is never listed (Canton 3.5, JsonV2Tests). */
export const listIdentityProviders: Operation = {
  operationId: "getV2Idps",
  mayCall: ({ caller }) => isParticipantAdministrator(caller),
  perform(_call, { ledger }) {
    const identityProviderConfigs = [...ledger.identityProviders.values()].map(providerJson);
    return { type: "succeeded", body: { identityProviderConfigs }, changes: [] };
  },
};
