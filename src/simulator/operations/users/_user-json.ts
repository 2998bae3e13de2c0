import type { JsonObject } from "../../../foundation/json/json.ts";
import type { User } from "../../ledger/ledger-state.ts";
import type { Release } from "../operation.ts";

/** A user as the ledger sends it: every member that the release knows, defaults included (facts, ledger-api 1.2). */
export function userJson(user: User, release: Release): JsonObject {
  const added = release.hasPrimaryPartyAuthentication
    ? { primaryPartyAuthentication: user.primaryPartyAuthentication }
    : {};
  return {
    id: user.id,
    primaryParty: user.primaryParty,
    isDeactivated: user.isDeactivated,
    metadata: { resourceVersion: user.resourceVersion, annotations: user.annotations },
    identityProviderId: user.identityProviderId,
    ...added,
  };
}
