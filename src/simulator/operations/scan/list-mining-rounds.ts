import type { Operation } from "../operation.ts";
import { activeContracts, contractWithState, responseWith } from "../splice-contracts.ts";

/** `GET …/scan-proxy/open-and-issuing-mining-rounds`: lists (Splice 0.6, scan-proxy.yaml). */
export const listMiningRounds: Operation = {
  operationId: "getScanProxyMiningRounds",
  perform: (_, world) =>
    responseWith({
      open_mining_rounds: activeContracts("Splice.Round:OpenMiningRound", world).map(contractWithState),
      issuing_mining_rounds: activeContracts("Splice.Round:IssuingMiningRound", world).map(contractWithState),
    }),
};
