import type { JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, textOf } from "../../../foundation/json/members.ts";
import { offsetKey, type Update } from "../../ledger/ledger-state.ts";
import { eventFormatOf, packageIdProblem, partiesOf } from "../_event-format.ts";
import { nonPositiveOffset } from "../_offsets.ts";
import { mayRead } from "../_reading.ts";
import { isVisible, type TransactionOptions } from "../_transaction-json.ts";
import type { Call, WorldView } from "../operation.ts";
import { invalidArgument, missingField, nodeError, type Refusal } from "../refusal.ts";

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

/** The problem of an update format: it is absent, or names a package by id. */
export function updateFormatProblem(call: Call, { format }: TransactionOptions): Refusal | undefined {
  if ((call.body["updateFormat"] ?? null) === null) return missingField("update_format");
  return packageIdProblem(format, call);
}

export type FoundUpdate = { readonly type: "found"; readonly update: Update } | Refusal;

/** The requested update; not found if its parties see no event of it. */
export function updateAt({ body }: Call, options: TransactionOptions, { ledger }: WorldView): FoundUpdate {
  const updateId = textOf(body["updateId"]);
  if (updateId === "") return missingField("update_id");
  if (!/^[0-9a-f]+$/.test(updateId)) return invalidArgument(`${JSON.stringify(updateId)} is not an update id`);
  return foundUpdate(ledger.updates.get(updateId), options, ["UPDATE_ID", updateId]);
}

/** The requested update by its offset; not found if its parties see no event of it. */
export function updateAtOffset(offset: bigint, options: TransactionOptions, { ledger }: WorldView): FoundUpdate {
  if (offset <= 0n) return nonPositiveOffset(offset, "offset");
  const updateId = ledger.updateIds.get(offsetKey(offset));
  const update = updateId === undefined ? undefined : ledger.updates.get(updateId);
  return foundUpdate(update, options, ["OFFSET", String(offset)]);
}

/** The update, or the refusal of an update that the parties of the options do not see. */
export function foundUpdate(
  update: Update | undefined,
  options: TransactionOptions,
  resource: readonly [type: string, id: string],
): FoundUpdate {
  return update !== undefined && isVisible(update, options)
    ? { type: "found", update }
    : nodeError("UPDATE_NOT_FOUND", "Update not found, or not visible.", { resources: [resource] });
}

/** The update whose signed hash this is, in base64. */
export function updateOfHash(hash: string, { ledger }: WorldView): Update | undefined {
  for (const update of ledger.updates.values()) if (update.transactionHash === hash) return update;
  return undefined;
}
