import type { JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, textOf } from "../../../foundation/json/members.ts";
import type { Update } from "../../ledger/ledger-state.ts";
import { eventFormatOf, partiesOf } from "../_event-format.ts";
import { mayRead } from "../_reading.ts";
import { isVisible, type TransactionOptions } from "../_transaction-json.ts";
import type { Call, WorldView } from "../operation.ts";
import { invalidField, missingField, nodeError, type Refusal } from "../refusal.ts";

/** The transaction options of a transaction format. */
export function optionsOf(format: JsonObject, { release }: Call, { registry }: WorldView): TransactionOptions {
  return {
    format: eventFormatOf(objectOf(format["eventFormat"])),
    isFull: format["transactionShape"] === "TRANSACTION_SHAPE_LEDGER_EFFECTS",
    registry,
    hasHash: release.hasTransactionHashes,
  };
}

/** The transaction options of an update format. */
export function updateOptionsOf(call: Call, world: WorldView): TransactionOptions {
  return optionsOf(objectOf(objectOf(call.body["updateFormat"])["includeTransactions"]), call, world);
}

export function mayReadUpdate(call: Call, { format }: TransactionOptions, world: WorldView): boolean {
  return mayRead(call, partiesOf(format), world);
}

/** The requested update; not found if its parties see no event of it. */
export function updateAt(
  { body }: Call,
  options: TransactionOptions,
  { ledger }: WorldView,
): { readonly type: "found"; readonly update: Update } | Refusal {
  const updateId = textOf(body["updateId"]);
  if (updateId === "") return missingField("update_id");
  if (!/^[0-9a-f]+$/.test(updateId))
    return invalidField("update_id", `${JSON.stringify(updateId)} is not an update id`);
  const update = ledger.updates.get(updateId);
  if (update !== undefined && isVisible(update, options)) return { type: "found", update };
  return nodeError("UPDATE_NOT_FOUND", `Update not found, or not visible: ${updateId}`, {
    resources: [["TRANSACTION_ID", updateId]],
  });
}

/** The update whose signed hash this is, in base64. */
export function updateOfHash(hash: string, { ledger }: WorldView): Update | undefined {
  for (const update of ledger.updates.values()) if (update.transactionHash === hash) return update;
  return undefined;
}
