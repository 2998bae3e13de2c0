import type { Json, JsonObject } from "../../../foundation/json/json.ts";
import { textsOf } from "../../../foundation/json/members.ts";
import type { Operation, WorldView } from "../operation.ts";
import { activeContracts, contractUnlessKnown, responseWith } from "../splice-contracts.ts";

/** How long a client may use the response before it asks again; a node derives it from the next change of a round. */
const usableMicros = 60_000_000;

/** `POST /api/scan/v0/open-and-issuing-mining-rounds`: maps by contract id (Splice 0.6, scan.yaml). */
export const listMiningRoundsUpdate: Operation = {
  operationId: "postScanMiningRounds",
  perform: ({ body }, world) =>
    responseWith({
      time_to_live_in_microseconds: usableMicros,
      open_mining_rounds: byId("OpenMiningRound", body["cached_open_mining_round_contract_ids"], world),
      issuing_mining_rounds: byId("IssuingMiningRound", body["cached_issuing_round_contract_ids"], world),
    }),
};

function byId(entity: string, known: Json | undefined, world: WorldView): JsonObject {
  const rounds = activeContracts(`Splice.Round:${entity}`, world);
  return Object.fromEntries(rounds.map((round) => [round.contractId, contractUnlessKnown(round, textsOf(known))]));
}
