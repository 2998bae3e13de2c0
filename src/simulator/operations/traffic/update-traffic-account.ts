import { textOf } from "../../../foundation/json/members.ts";
import { credited, isUpdateInBounds, isUpdateKnown, type TrafficUpdate } from "../../ledger/traffic.ts";
import { integerOf } from "../_json-members.ts";
import { isParticipantAdministrator } from "../_user-administrator.ts";
import type { Operation, OperationResult } from "../operation.ts";
import { missingField, nodeError } from "../refusal.ts";
import { accountJson, exposed } from "./_traffic-account.ts";

/** `POST /v2/traffic/accounts`: adds to a balance, once for each deduplication id (Canton 3.6, openapi.yaml, tests of traffic enforcement). */
export const updateTrafficAccount: Operation = {
  operationId: "postV2TrafficAccounts",
  isExposed: ({ traffic }) => traffic !== undefined,
  mayCall: ({ caller }) => isParticipantAdministrator(caller),
  perform({ body }, { ledger, nowMs }): OperationResult {
    const traffic = exposed(ledger);
    const [accountId, deduplicationId] = [textOf(body["accountId"]), textOf(body["deduplicationId"])];
    if (accountId === "") return missingField("account_id");
    if (deduplicationId === "") return missingField("deduplication_id");
    const delta = integerOf(body["balanceDelta"]);
    if (delta === undefined || isUpdateKnown(traffic, deduplicationId))
      return { type: "succeeded", body: { response: accountJson(traffic, accountId) }, changes: [] };
    const update: TrafficUpdate = { accountId, delta, deduplicationId, atMs: nowMs };
    if (!isUpdateInBounds(traffic, update))
      return nodeError(
        "TRAFFIC_UPDATE_OUT_OF_BOUND",
        `The traffic delta ${delta} cannot be applied to the current balance of ${accountId} without the credit balance exceeding its maximum value.`,
        { explanation: `The sum of all deltas of ${accountId} must stay from 0 to 2^63 - 1.` },
      );
    return {
      type: "succeeded",
      body: { response: accountJson(credited(traffic, update), accountId) },
      changes: [{ type: "traffic-credited", update }],
    };
  },
};
