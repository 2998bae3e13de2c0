import type { JsonObject } from "../../../foundation/json/json.ts";
import type { User } from "../../ledger/ledger-state.ts";
import type { Release } from "../operation.ts";

/** A user as JSON, with every member of the release, defaults included (Canton 3.5, openapi.yaml). */
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
