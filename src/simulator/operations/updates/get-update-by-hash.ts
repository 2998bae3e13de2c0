import { textOf } from "../../../foundation/json/members.ts";
import { isVisible, transactionJson } from "../_transaction-json.ts";
import type { Operation } from "../operation.ts";
import { missingField, nodeError } from "../refusal.ts";
import { mayReadUpdate, updateOfHash, updateOptionsOf } from "./_update.ts";

/** `POST /v2/updates/update-by-hash`: the update of an externally signed transaction (Canton 3.6, source). */
export const getUpdateByHash: Operation = {
  operationId: "postV2UpdatesUpdate-by-hash",
  mayCall: (call, world) => mayReadUpdate(call, updateOptionsOf(call, world), world),
  perform(call, world) {
    const hash = textOf(call.body["transactionHash"]);
    if (hash === "") return missingField("transaction_hash");
    const requested = updateOptionsOf(call, world);
    const update = updateOfHash(hash, world);
    if (update === undefined || !isVisible(update, requested))
      return nodeError("UPDATE_NOT_FOUND", "Update not found, or not visible.", {
        resources: [["TRANSACTION_HASH", hash]],
      });
    const body = { update: { Transaction: { value: transactionJson(update, requested) } } };
    return { type: "succeeded", body, changes: [] };
  },
};
