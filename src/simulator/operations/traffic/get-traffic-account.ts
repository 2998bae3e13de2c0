import { mayExecuteAs } from "../_reading.ts";
import type { Operation } from "../operation.ts";
import { accountJson, exposed } from "./_traffic-account.ts";

/** `GET /v2/traffic/accounts/{account-id}`: the balance of an account, for who may act or execute as its party (Canton 3.6.1, openapi.yaml). */
export const getTrafficAccount: Operation = {
  operationId: "getV2TrafficAccountsAccount-id",
  isExposed: ({ traffic }) => traffic !== undefined,
  mayCall: (call, world) => mayExecuteAs(call, call.path["account-id"] ?? "", world),
  perform({ path }, { ledger }) {
    return { type: "succeeded", body: accountJson(exposed(ledger), path["account-id"] ?? ""), changes: [] };
  },
};
