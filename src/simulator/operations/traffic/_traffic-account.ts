import { type JsonObject, jsonOfInteger } from "../../../foundation/json/json.ts";
import type { LedgerState } from "../../ledger/ledger-state.ts";
import { balanceOf, type TrafficEnforcement, trafficAccount } from "../../ledger/traffic.ts";

/** The traffic of a node that exposes the accounts. */
export function exposed({ traffic }: LedgerState): TrafficEnforcement {
  if (traffic === undefined) throw new Error("invariant: the node does not expose traffic accounts");
  return traffic;
}

export function accountJson(traffic: TrafficEnforcement, accountId: string): JsonObject {
  return { accountId, balance: jsonOfInteger(balanceOf(trafficAccount(traffic, accountId))) };
}
