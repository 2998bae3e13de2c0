import { objectOf, textsOf } from "../../../foundation/json/members.ts";
import { everythingFor, packageIdProblem } from "../_event-format.ts";
import { type TransactionOptions, transactionJson } from "../_transaction-json.ts";
import type { Call, Operation, WorldView } from "../operation.ts";
import { mayReadUpdate, optionsOf, updateAt } from "./_update.ts";

/** `POST /v2/updates/transaction-by-id`: replaced by update-by-id, still used by clients (Canton 3.5, openapi.yaml). */
export const getTransaction: Operation = {
  operationId: "postV2UpdatesTransaction-by-id",
  mayCall: (call, world) => mayReadUpdate(call, options(call, world), world),
  perform(call, world) {
    const requested = options(call, world);
    const misnamed = packageIdProblem(requested.format, call);
    if (misnamed !== undefined) return misnamed;
    const found = updateAt(call, requested, world);
    if (found.type !== "found") return found;
    return { type: "succeeded", body: { transaction: transactionJson(found.update, requested) }, changes: [] };
  },
};

/** The format of the request, or by default all events of the requesting parties. */
function options(call: Call, world: WorldView): TransactionOptions {
  const format = call.body["transactionFormat"];
  if (format !== undefined) return optionsOf(objectOf(format), call, world);
  const parties = textsOf(call.body["requestingParties"]);
  return { ...optionsOf({}, call, world), format: everythingFor(parties) };
}
