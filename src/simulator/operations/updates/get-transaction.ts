import { everythingFor } from "../_event-format.ts";
import { objectOf, textsOf } from "../_json-members.ts";
import { type TransactionSetting, transactionJson } from "../_transaction-json.ts";
import type { Call, Operation, WorldView } from "../operation.ts";
import { mayReadUpdate, settingOf, updateAt } from "./_update.ts";

/** `POST /v2/updates/transaction-by-id`: what update-by-id replaces; clients still ask it (facts, ledger-api 6). */
export const getTransaction: Operation = {
  operationId: "postV2UpdatesTransaction-by-id",
  mayCall: (call, world) => mayReadUpdate(call, setting(call, world), world),
  perform(call, world) {
    const asked = setting(call, world);
    const found = updateAt(call, asked, world);
    if (found.type !== "found") return found;
    return { type: "answered", body: { transaction: transactionJson(found.update, asked) }, changes: [] };
  },
};

/** The format, or everything that the requesting parties see. */
function setting({ body }: Call, { registry }: WorldView): TransactionSetting {
  const format = body["transactionFormat"];
  if (format !== undefined) return settingOf(objectOf(format), registry);
  return { format: everythingFor(textsOf(body["requestingParties"])), isFull: false, registry };
}
