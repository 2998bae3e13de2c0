import { textOf } from "../../../foundation/json/members.ts";
import { transactionJson } from "../_transaction-json.ts";
import type { Operation } from "../operation.ts";
import { missingField } from "../refusal.ts";
import { foundUpdate, mayReadUpdates, requiredFormatProblem, updateOfHash, updateOptionsOf } from "./_update.ts";

/** `POST /v2/updates/update-by-hash`: the update of an externally signed transaction (Canton 3.6, source). */
export const getUpdateByHash: Operation = {
  operationId: "postV2UpdatesUpdate-by-hash",
  mayCall: mayReadUpdates,
  perform(call, world) {
    const hash = textOf(call.body["transactionHash"]);
    if (hash === "") return missingField("transaction_hash");
    const requested = updateOptionsOf(call, world);
    const misformed = requiredFormatProblem(call, world);
    if (misformed !== undefined) return misformed;
    const found = foundUpdate(updateOfHash(hash, world), requested, ["TRANSACTION_HASH", hash]);
    if (found.type !== "found") return found;
    const body = { update: { Transaction: { value: transactionJson(found.update, requested, found.events) } } };
    return { type: "succeeded", body, changes: [] };
  },
};
