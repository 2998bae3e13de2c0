import { jsonOfInteger } from "../../../foundation/json/json.ts";
import { textOf } from "../../../foundation/json/members.ts";
import type { Operation } from "../operation.ts";
import { activeContracts, responseWith } from "../splice-contracts.ts";

/**
 * `GET /api/scan/v0/domains/{domain}/members/{member}/traffic-status`: the sum of the MemberTraffic contracts. The stub uses
 * no traffic. That an unknown member has zeros is inferred (Splice 0.6, scan.yaml).
 */
export const getTrafficStatus: Operation = {
  operationId: "getScanTrafficStatus",
  perform({ path }, world) {
    const amounts = activeContracts("Splice.DecentralizedSynchronizer:MemberTraffic", world)
      .filter(({ payload }) => payload["memberId"] === path["member_id"])
      .filter(({ payload }) => payload["synchronizerId"] === path["domain_id"])
      .map(({ payload }) => textOf(payload["totalPurchased"]))
      .filter((amount) => /^\d{1,19}$/.test(amount));
    const bought = amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);
    const total = jsonOfInteger(bought);
    return responseWith({
      traffic_status: { actual: { total_consumed: 0, total_limit: total }, target: { total_purchased: total } },
    });
  },
};
