import type { JsonObject } from "../http/json.ts";
import type { User } from "../ledger/ledger-state.ts";

/** A user as the ledger sends it: every member, defaults included (facts, ledger-api 1.2). */
export function userJson(user: User): JsonObject {
  return {
    id: user.id,
    primaryParty: user.primaryParty,
    isDeactivated: user.isDeactivated,
    metadata: { resourceVersion: user.resourceVersion, annotations: user.annotations },
    identityProviderId: user.identityProviderId,
    primaryPartyAuthentication: user.primaryPartyAuthentication,
  };
}
