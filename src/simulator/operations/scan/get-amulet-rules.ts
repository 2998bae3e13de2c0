import type { Operation } from "../operation.ts";
import { contractWithState, singleContract } from "../splice-contracts.ts";

/** `GET …/scan-proxy/amulet-rules` (Splice 0.6, scan-proxy.yaml). */
export const getAmuletRules: Operation = {
  operationId: "getScanProxyAmuletRules",
  perform: (_, world) =>
    singleContract("Splice.AmuletRules:AmuletRules", world, (contract) => ({
      amulet_rules: contractWithState(contract),
    })),
};
