import { textOf } from "../../../foundation/json/members.ts";
import type { Operation } from "../operation.ts";
import { contractUnlessKnown, singleContract } from "../splice-contracts.ts";

/** `POST /api/scan/v0/amulet-rules`: the contract is omitted if the client knows it (Splice 0.6, scan.yaml). */
export const getAmuletRulesUpdate: Operation = {
  operationId: "postScanAmuletRules",
  perform: ({ body }, world) =>
    singleContract("Splice.AmuletRules:AmuletRules", world, (contract) => ({
      amulet_rules_update: contractUnlessKnown(contract, [textOf(body["cached_amulet_rules_contract_id"])]),
    })),
};
