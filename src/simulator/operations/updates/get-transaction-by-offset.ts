import { packageIdProblem } from "../_event-format.ts";
import { integerOf } from "../_json-members.ts";
import { transactionJson } from "../_transaction-json.ts";
import type { Operation } from "../operation.ts";
import { partiesProblem, transactionOptions } from "./_transaction-options.ts";
import { mayReadUpdate, updateAtOffset } from "./_update.ts";

/** `POST /v2/updates/transaction-by-offset`: replaced by update-by-offset (Canton 3.5, openapi.yaml). */
export const getTransactionByOffset: Operation = {
  operationId: "postV2UpdatesTransaction-by-offset",
  mayCall: (call, world) => mayReadUpdate(call, transactionOptions(call, world), world),
  perform(call, world) {
    const requested = transactionOptions(call, world);
    const unfit = partiesProblem(call) ?? packageIdProblem(requested.format, call);
    if (unfit !== undefined) return unfit;
    const found = updateAtOffset(integerOf(call.body["offset"]) ?? 0n, requested, world);
    if (found.type !== "found") return found;
    return { type: "succeeded", body: { transaction: transactionJson(found.update, requested) }, changes: [] };
  },
};
