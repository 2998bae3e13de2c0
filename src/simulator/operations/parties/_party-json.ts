import type { JsonObject } from "../../../foundation/json/json.ts";
import type { Party } from "../../ledger/ledger-state.ts";

/** What a node tells of a party. */
export function partyJson(party: Party, participantId: string): JsonObject {
  return {
    party: party.id,
    isLocal: party.hostedBy.includes(participantId),
    localMetadata: { resourceVersion: "", annotations: {} },
    identityProviderId: party.identityProviderId,
  };
}
