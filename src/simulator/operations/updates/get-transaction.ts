import { transactionJson } from "../_transaction-json.ts";
import type { Operation } from "../operation.ts";
import { transactionOptions, transactionRequestProblem } from "./_transaction-options.ts";
import { mayReadUpdate, updateAt } from "./_update.ts";

/** `POST /v2/updates/transaction-by-id`: replaced by update-by-id, still used by clients (Canton 3.5, openapi.yaml). */
export const getTransaction: Operation = {
  operationId: "postV2UpdatesTransaction-by-id",
  mayCall: (call, world) => mayReadUpdate(call, transactionOptions(call, world), world),
  perform(call, world) {
    const requested = transactionOptions(call, world);
    const unfit = transactionRequestProblem(call, world);
    if (unfit !== undefined) return unfit;
    const found = updateAt(call, requested, world);
    if (found.type !== "found") return found;
    return {
      type: "succeeded",
      body: { transaction: transactionJson(found.update, requested, found.events) },
      changes: [],
    };
  },
};
