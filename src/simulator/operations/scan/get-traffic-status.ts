import { jsonOfInteger } from "../../../foundation/json/json.ts";
import type { Operation } from "../operation.ts";
import { activeContracts, responseWith } from "../splice-contracts.ts";

/**
 * `GET /api/scan/v0/domains/{domain}/members/{member}/traffic-status`: the sum of the MemberTraffic contracts. The stub uses
 * no traffic. That an unknown member has zeros is inferred (Splice 0.6, scan.yaml).
 */
export const getTrafficStatus: Operation = {
  operationId: "getScanTrafficStatus",
  perform({ path }, world) {
    const bought = activeContracts("Splice.DecentralizedSynchronizer:MemberTraffic", world)
      .filter(({ payload }) => payload["memberId"] === path["member_id"])
      .filter(({ payload }) => payload["synchronizerId"] === path["domain_id"])
      .reduce((sum, { payload }) => sum + BigInt(String(payload["totalPurchased"] ?? 0)), 0n);
    const total = jsonOfInteger(bought);
    return responseWith({
      traffic_status: { actual: { total_consumed: 0, total_limit: total }, target: { total_purchased: total } },
    });
  },
};
