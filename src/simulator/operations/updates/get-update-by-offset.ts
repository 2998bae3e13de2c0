import { integerOf } from "../_json-members.ts";
import { transactionJson } from "../_transaction-json.ts";
import type { Operation } from "../operation.ts";
import { mayReadUpdates, requiredFormatProblem, updateAtOffset, updateOptionsOf } from "./_update.ts";

/** `POST /v2/updates/update-by-offset`: one update by its offset, as the parties of the format see it (Canton 3.5, openapi.yaml). */
export const getUpdateByOffset: Operation = {
  operationId: "postV2UpdatesUpdate-by-offset",
  mayCall: mayReadUpdates,
  perform(call, world) {
    const requested = updateOptionsOf(call, world);
    const misformed = requiredFormatProblem(call, world);
    if (misformed !== undefined) return misformed;
    const found = updateAtOffset(integerOf(call.body["offset"]) ?? 0n, requested, world);
    if (found.type !== "found") return found;
    const body = { update: { Transaction: { value: transactionJson(found.update, requested, found.events) } } };
    return { type: "succeeded", body, changes: [] };
  },
};
