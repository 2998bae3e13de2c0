import { objectOf } from "../_json-members.ts";
import { type TransactionSetting, transactionJson } from "../_transaction-json.ts";
import type { Call, Operation, WorldView } from "../operation.ts";
import { mayReadUpdate, settingOf, updateAt } from "./_update.ts";

/** `POST /v2/updates/update-by-id`: one update as the parties of the format see it (facts, ledger-api 6). */
export const getUpdate: Operation = {
  operationId: "postV2UpdatesUpdate-by-id",
  mayCall: (call, world) => mayReadUpdate(call, setting(call, world), world),
  perform(call, world) {
    const asked = setting(call, world);
    const found = updateAt(call, asked, world);
    if (found.type !== "found") return found;
    const body = { update: { Transaction: { value: transactionJson(found.update, asked) } } };
    return { type: "answered", body, changes: [] };
  },
};

function setting({ body }: Call, { registry }: WorldView): TransactionSetting {
  return settingOf(objectOf(objectOf(body["updateFormat"])["includeTransactions"]), registry);
}
