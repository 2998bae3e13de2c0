import { integerOf } from "../_json-members.ts";
import { transactionJson } from "../_transaction-json.ts";
import type { Operation } from "../operation.ts";
import { mayReadUpdate, updateAtOffset, updateFormatProblem, updateOptionsOf } from "./_update.ts";

/** `POST /v2/updates/update-by-offset`: one update by its offset, as the parties of the format see it (Canton 3.5, openapi.yaml). */
export const getUpdateByOffset: Operation = {
  operationId: "postV2UpdatesUpdate-by-offset",
  mayCall: (call, world) => mayReadUpdate(call, updateOptionsOf(call, world), world),
  perform(call, world) {
    const requested = updateOptionsOf(call, world);
    const misformed = updateFormatProblem(call, requested);
    if (misformed !== undefined) return misformed;
    const found = updateAtOffset(integerOf(call.body["offset"]) ?? 0n, requested, world);
    if (found.type !== "found") return found;
    const body = { update: { Transaction: { value: transactionJson(found.update, requested) } } };
    return { type: "succeeded", body, changes: [] };
  },
};
