import { objectOf } from "../../../foundation/json/members.ts";
import { type TransactionOptions, transactionJson } from "../_transaction-json.ts";
import type { Call, Operation, WorldView } from "../operation.ts";
import { mayReadUpdate, optionsOf, updateAt } from "./_update.ts";

/** `POST /v2/updates/update-by-id`: one update as the parties of the format see it (Canton 3.5, openapi.yaml). */
export const getUpdate: Operation = {
  operationId: "postV2UpdatesUpdate-by-id",
  mayCall: (call, world) => mayReadUpdate(call, options(call, world), world),
  perform(call, world) {
    const requested = options(call, world);
    const found = updateAt(call, requested, world);
    if (found.type !== "found") return found;
    const body = { update: { Transaction: { value: transactionJson(found.update, requested) } } };
    return { type: "succeeded", body, changes: [] };
  },
};

function options({ body }: Call, { registry }: WorldView): TransactionOptions {
  return optionsOf(objectOf(objectOf(body["updateFormat"])["includeTransactions"]), registry);
}
