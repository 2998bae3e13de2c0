import type { JsonObject } from "../../../foundation/json/json.ts";
import type { Party } from "../../ledger/ledger-state.ts";

/** A party as JSON. */
export function partyJson(party: Party, participantId: string): JsonObject {
  return {
    party: party.id,
    isLocal: party.hostedBy.includes(participantId),
    localMetadata: { resourceVersion: party.resourceVersion, annotations: party.annotations },
    identityProviderId: party.identityProviderId,
  };
}
