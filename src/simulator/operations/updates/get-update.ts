import { transactionJson } from "../_transaction-json.ts";
import type { Operation } from "../operation.ts";
import { mayReadUpdates, requiredFormatProblem, updateAt, updateOptionsOf } from "./_update.ts";

/** `POST /v2/updates/update-by-id`: one update as the parties of the format see it (Canton 3.5, openapi.yaml). */
export const getUpdate: Operation = {
  operationId: "postV2UpdatesUpdate-by-id",
  mayCall: mayReadUpdates,
  perform(call, world) {
    const requested = updateOptionsOf(call, world);
    const misformed = requiredFormatProblem(call, world);
    if (misformed !== undefined) return misformed;
    const found = updateAt(call, requested, world);
    if (found.type !== "found") return found;
    const body = { update: { Transaction: { value: transactionJson(found.update, requested, found.events) } } };
    return { type: "succeeded", body, changes: [] };
  },
};
