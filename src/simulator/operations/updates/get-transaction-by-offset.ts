import { integerOf } from "../_json-members.ts";
import { transactionJson } from "../_transaction-json.ts";
import type { Operation } from "../operation.ts";
import { transactionOptions, transactionRequestProblem } from "./_transaction-options.ts";
import { mayReadUpdate, updateAtOffset } from "./_update.ts";

/** `POST /v2/updates/transaction-by-offset`: replaced by update-by-offset (Canton 3.5, openapi.yaml). */
export const getTransactionByOffset: Operation = {
  operationId: "postV2UpdatesTransaction-by-offset",
  mayCall: (call, world) => mayReadUpdate(call, transactionOptions(call, world), world),
  perform(call, world) {
    const requested = transactionOptions(call, world);
    const unfit = transactionRequestProblem(call, world);
    if (unfit !== undefined) return unfit;
    const found = updateAtOffset(integerOf(call.body["offset"]) ?? 0n, requested, world);
    if (found.type !== "found") return found;
    return {
      type: "succeeded",
      body: { transaction: transactionJson(found.update, requested, found.events) },
      changes: [],
    };
  },
};
