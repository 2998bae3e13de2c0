import { eventFormatOf, partiesOf } from "./_event-format.ts";
import { objectOf, textOf } from "./_json-members.ts";
import type { Call, Operation, Outcome, WorldView } from "./_operation.ts";
import { mayRead } from "./_reading.ts";
import { invalidField, missingField, nodeError } from "./_refusal.ts";
import { isVisible, type TransactionSetting, transactionJson } from "./_transaction-json.ts";

/** `POST /v2/updates/update-by-id`: one update as the parties of the format see it (facts, ledger-api 6). */
export const getUpdate: Operation = {
  operationId: "postV2UpdatesUpdate-by-id",
  mayCall: (call, world) => mayRead(call, partiesOf(settingOf(call, world).format), world),
  perform: get,
};

function settingOf({ body }: Call, { registry }: WorldView): TransactionSetting {
  const asked = objectOf(objectOf(body["updateFormat"])["includeTransactions"]);
  return {
    format: eventFormatOf(objectOf(asked["eventFormat"])),
    isFull: asked["transactionShape"] === "TRANSACTION_SHAPE_LEDGER_EFFECTS",
    registry,
  };
}

/** An update that the caller's parties see nothing of is not there for them. */
function get(call: Call, world: WorldView): Outcome {
  const updateId = textOf(call.body["updateId"]);
  if (updateId === "") return missingField("update_id");
  if (!/^[0-9a-f]+$/.test(updateId)) return invalidField("update_id", `${JSON.stringify(updateId)} is no update id`);
  const setting = settingOf(call, world);
  const update = world.ledger.updates.get(updateId);
  if (update === undefined || !isVisible(update, setting))
    return nodeError("UPDATE_NOT_FOUND", `Update not found, or not visible: ${updateId}`, {
      resources: [["TRANSACTION_ID", updateId]],
    });
  const body = { update: { Transaction: { value: transactionJson(update, setting) } } };
  return { type: "answered", body, changes: [] };
}
