import type { IdentityProvider, LedgerState } from "../../ledger/ledger-state.ts";
import { isParticipantAdministrator } from "../_user-administrator.ts";
import type { Operation, OperationResult } from "../operation.ts";
import { nodeError, type Refusal } from "../refusal.ts";
import { checkIssuer, checkShape, providerFrom, providerJson } from "./_identity-provider.ts";

/** `POST /v2/idps`: adds a configuration; ids and issuers are unique (Canton 3.5, JsonV2Tests; contracts/error-codes.yaml). */
export const createIdentityProvider: Operation = {
  operationId: "postV2Idps",
  mayCall: ({ caller }) => isParticipantAdministrator(caller),
  perform({ body }, { ledger }): OperationResult {
    const provider = providerFrom(body["identityProviderConfig"]);
    const refusal = checkShape(provider) ?? checkUnique(provider, ledger);
    if (refusal !== undefined) return refusal;
    return {
      type: "succeeded",
      body: { identityProviderConfig: providerJson(provider) },
      changes: [{ type: "identity-provider-configured", provider }],
    };
  },
};

const attempted = "creating identity provider config";

function checkUnique(provider: IdentityProvider, { identityProviders, limits }: LedgerState): Refusal | undefined {
  if (identityProviders.has(provider.id))
    return nodeError(
      "IDP_CONFIG_ALREADY_EXISTS",
      `${attempted} failed, as identity provider "${provider.id}" already exists`,
      {
        resources: [["IDENTITY_PROVIDER_CONFIG", provider.id]],
      },
    );
  const issuerRefusal = checkIssuer(provider, identityProviders.values(), attempted);
  if (issuerRefusal !== undefined) return issuerRefusal;
  if (identityProviders.size < limits.identityProvidersMax) return undefined;
  return nodeError("TOO_MANY_IDENTITY_PROVIDER_CONFIGS", `${attempted} failed.`);
}
